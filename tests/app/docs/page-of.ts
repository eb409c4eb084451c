/** One open file in a page, with an engine that has only this file. */
import { createRoot, createSignal } from "solid-js";
import { expect, vi } from "vitest";
import { createDrafts, type Draft } from "../../../src/app/docs/drafts.ts";
import { type Glance, glanceKey, readGlance } from "../../../src/app/docs/glance.ts";
import { keepGlances } from "../../../src/app/docs/keep-glances.ts";
import { createOpenFile } from "../../../src/app/docs/open-file.ts";
import type { EngineEvents, Heard } from "../../../src/app/model/api/events.ts";
import { fileKey, type FileRef } from "../../../src/app/model/route.ts";

export const main: FileRef = { kind: "doc", name: "doc-main.md" };
export const key = fileKey(main);
export const five = "one\ntwo\nthree\nfour\nfive\n";

export type Stored = { readonly text: string; readonly version: number } | "gone" | "failing" | "binary";

/** An engine with one file. It answers nothing before `start`. */
export function engineWith(first: Stored) {
  let stored = first;
  let start = () => {};
  const started = new Promise<void>((resolve) => (start = resolve));
  const written: string[] = [];
  let reads = 0;
  const json = (value: unknown, status = 200, version = 0) =>
    Response.json(value, { status, headers: version === 0 ? {} : { ETag: `"${version}"` } });
  vi.stubGlobal("fetch", async (path: string, { method = "GET", headers, body }: RequestInit = {}) => {
    if (/^\.?\/?history/.test(path)) return json({ error: "gone" }, 404);
    if (method === "GET") reads += 1;
    await started;
    if (stored === "failing") throw new TypeError("no engine");
    if (stored === "binary") return new Response(new Uint8Array([0, 1, 2]), { headers: { ETag: '"9"' } });
    if (method === "GET") return stored === "gone" ? json({ error: "gone" }, 404) : json({ content: stored.text }, 200, stored.version);
    const [wanted, isNew] = [new Headers(headers).get("If-Match"), new Headers(headers).has("If-None-Match")];
    const version = stored === "gone" ? 0 : stored.version;
    if ((wanted !== null && wanted !== `"${version}"`) || (isNew && stored !== "gone")) return json({ error: "changed" }, 412);
    const { content }: { content: string } = JSON.parse(typeof body === "string" ? body : "");
    written.push(content);
    stored = { text: content, version: version + 1 };
    return json({ ok: true }, 200, version + 1);
  });
  return {
    start,
    /** Someone else writes or deletes the file. */
    change: (next: Stored) => void (stored = next),
    written,
    reads: () => reads,
  };
}

interface Start {
  readonly glance?: Glance | null;
  readonly draft?: Draft;
  readonly file?: FileRef;
}

/** A page that opens one file, with storage that outlives it. */
export function pageOf({ glance = null, draft, file: ref = main }: Start = {}) {
  localStorage.clear();
  if (glance !== null) localStorage.setItem(glanceKey("", fileKey(ref)), JSON.stringify(glance));
  if (draft !== undefined) localStorage.setItem(`vibey draft ${fileKey(ref)}`, JSON.stringify(draft));
  return reloaded(ref);
}
export function reloaded(ref: FileRef = main) {
  const events: EngineEvents = { lost: () => false, listeners: new Set() };
  const told: string[] = [];
  const [target, setTarget] = createSignal<FileRef | null>(ref);
  const { drafts, file, stopKeeping, dispose } = createRoot((end) => {
    const own = createDrafts(localStorage, queueMicrotask);
    const opened = createOpenFile(target, {
      drafts: own,
      events,
      announce: (text) => told.push(text),
      glances: {
        get: (name) => readGlance(localStorage, "", name),
        drop: (name) => localStorage.removeItem(glanceKey("", name)),
      },
      vanished: () => setTarget(null),
    });
    const keeps = keepGlances({ store: localStorage, project: "", events, file: () => () => opened.stored(), allowed: () => true });
    return { drafts: own, file: opened, stopKeeping: keeps, dispose: end };
  });
  return {
    drafts,
    file,
    told,
    setTarget,
    emit: (event: Heard) => events.listeners.forEach((listener) => listener(event)),
    type: (text: string) => file.edit(text, fileKey(ref)),
    shown: () => ({ kind: file.opened().kind, text: file.text(), dirty: file.dirty(), theirs: file.theirs()?.text ?? null }),
    leave: () => {
      drafts.flush();
      stopKeeping();
      dispose();
    },
  };
}
export const read = (page: ReturnType<typeof pageOf>) =>
  expect.poll(() => page.file.unknown() || page.file.opened().kind === "loading").toBe(false);

/** Another tab types on top of this page's text; null: it discards the text. */
export const typedThere = (page: ReturnType<typeof pageOf>, draft: Draft | null) => {
  const on = page.drafts.parts.known.get(key);
  return page.drafts.stored(`vibey draft ${key}`, draft === null ? (on ?? "") : JSON.stringify({ id: nextId(), on, ...draft }));
};
let count = 1e6;
const nextId = () => `othertab${count++}`;
