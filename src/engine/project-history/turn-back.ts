import type { Change, CommitOptions } from "../../fs/files.ts";
import type { History } from "../../fs/history/history.ts";
import type { Oid } from "../../fs/history/object.ts";
import type { CommitRecord, FileChange, HistoryStore, KnownFile } from "../../fs/history/store.ts";
import type { Path } from "../../fs/path.ts";
import type { EngineEvent, RestoreAnswer } from "../api.ts";
import type { DialogStore } from "../dialogs/store.ts";
import { guardDoc } from "../format/doc-authority.ts";
import { mergeTexts } from "../merge-texts.ts";
import { decodeText } from "../text.ts";
import { isMainDoc } from "../write-rules.ts";
import type { Recorder } from "./recorder.ts";
import { byOf } from "./people.ts";
import { namesOf } from "./summary.ts";

/**
 * Back to how files were. It is a change like any other, made by the human: what it replaces is in the history before, and it
 * can be undone itself. Dialogs are never touched.
 */
export interface TurnBack {
  /** The file, or every file, as this commit left it. */
  restore(id: Oid, path: Path | null): Promise<TurnedBack>;
  /** What this commit changed reads again as before it; what was changed since in other lines is kept. */
  undo(id: Oid, path: Path | null): Promise<TurnedBack>;
}

export type TurnedBack = { readonly ok: true; readonly answer: RestoreAnswer } | { readonly ok: false; readonly refusal: TurnBackRefusal };

export type TurnBackRefusal =
  | { readonly kind: "unknown-commit" }
  /** The commit has, or changed, no such file. */
  | { readonly kind: "unknown-path" }
  /** Files kept changing while this was tried. */
  | { readonly kind: "busy" }
  /** What is not committed yet could not be committed, and would have been lost. */
  | { readonly kind: "history"; readonly message: string }
  | { readonly kind: "storage"; readonly message: string };

export interface TurnBackDeps {
  readonly history: History;
  readonly store: Pick<HistoryStore, "file" | "files">;
  readonly recorder: Pick<Recorder, "settle" | "finish">;
  readonly commit: DialogStore["other"];
  readonly emit: (event: EngineEvent) => void;
}

/** How often it is tried anew because a file was changed meanwhile. */
const attempts = 5;

type Found = NonNullable<Awaited<ReturnType<History["get"]>>>;

interface Plan {
  readonly writes: readonly Write[];
  readonly kept: readonly Path[];
}

interface Write {
  readonly path: Path;
  /** As the newest commit has it. */
  readonly now: KnownFile | null;
  /** null: it goes. */
  readonly bytes: Uint8Array | null;
}

export function createTurnBack({ history, store, recorder, commit, emit }: TurnBackDeps): TurnBack {
  async function turnBack(summary: string, make: () => Promise<Plan | null>): Promise<TurnedBack> {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const settled = await recorder.settle("all");
      if (!settled.ok) return { ok: false, refusal: { kind: "history", message: settled.message } };
      const plan = await make();
      if (!plan) return { ok: false, refusal: { kind: "unknown-path" } };
      const { writes, kept } = plan;
      if (writes.length === 0) return { ok: true, answer: { ok: true, changed: [], kept } };
      const notice = await authorityNotice(writes);
      const changes = writes.map(({ path, bytes }): Change => (bytes ? { op: "write", path, data: bytes } : { op: "remove", path }));
      const expect: CommitOptions["expect"] = writes.map(({ path, now }) => ({ path, version: now?.version ?? null }));
      const stored = await commit(changes, { durability: "strict", by: "human", expect });
      if (stored.ok) {
        if (notice !== null) emit({ type: "notice", kind: "authority", message: notice, dialogId: null });
        const paths = new Set(writes.map(({ path }) => path));
        await recorder.finish("human", paths, summary);
        return { ok: true, answer: { ok: true, changed: [...paths], kept } };
      }
      if (stored.failure.kind === "conflict") continue;
      const why =
        stored.failure.kind === "full" ? "the browser's storage is full" : `the browser's storage refused (${stored.failure.kind})`;
      return { ok: false, refusal: { kind: "storage", message: `${why}; nothing was changed` } };
    }
    return { ok: false, refusal: { kind: "busy" } };
  }

  /** Which of doc-main.md's authority lines come and go; null: none. */
  async function authorityNotice(writes: readonly Write[]): Promise<string | null> {
    const main = writes.find(({ path }) => isMainDoc(path));
    if (!main) return null;
    const before = main.now ? new TextDecoder().decode(await history.bytes(main.now.oid)) : "";
    const guard = guardDoc(before, main.bytes ? new TextDecoder().decode(main.bytes) : "");
    if (guard.ok) return null;
    const lines = (list: readonly string[]) => list.map((line) => JSON.stringify(line)).join(", ");
    const parts = [
      ...(guard.wanted.length > 0 ? [`${lines(guard.wanted)} came back`] : []),
      ...(guard.lost.length > 0 ? [`${lines(guard.lost)} went`] : []),
    ];
    return `This changed the authority lines of doc-main.md: ${parts.join("; ")}.`;
  }

  async function restorePlan(record: CommitRecord, path: Path | null): Promise<Plan | null> {
    const [then, known] = await Promise.all([history.filesAt(record), store.files()]);
    const now = new Map(known.map((file) => [file.path, file]));
    const paths = path === null ? [...new Set([...then.keys(), ...now.keys()])].toSorted() : [path];
    if (path !== null && !then.has(path) && !now.has(path)) return null;
    const writes: Write[] = [];
    for (const one of paths) {
      const [target = null, file = null] = [then.get(one), now.get(one)];
      if (target !== (file?.oid ?? null))
        writes.push({ path: one, now: file, bytes: target === null ? null : await history.bytes(target) });
    }
    return { writes, kept: [] };
  }

  async function undoPlan({ record, files: all }: Found, path: Path | null): Promise<Plan | null> {
    const changes = path === null ? all : all.filter((change) => change.path === path);
    const isAgents = byOf(record).kind === "dialog";
    if (changes.length === 0) return null;
    const files = await store.file(changes.map((change) => change.path));
    const writes: Write[] = [];
    const kept: Path[] = [];
    for (const [at, change] of changes.entries()) {
      const now = files[at] ?? null;
      if ((now?.oid ?? null) === change.before) continue;
      const bytes = await undone(change, now, isAgents);
      if (bytes === "conflict") kept.push(change.path);
      else if (bytes !== "same") writes.push({ path: change.path, now, bytes });
    }
    return { writes, kept };
  }

  /** The file without this change; `same`: it is without it; `conflict`: it was changed since in the same places. */
  async function undone(
    { path, before, after }: FileChange,
    now: KnownFile | null,
    isAgents: boolean,
  ): Promise<Uint8Array | null | "same" | "conflict"> {
    if ((now?.oid ?? null) === after) return before === null ? null : history.bytes(before);
    if (before === null || after === null || now === null) return "conflict";
    const text = async (oid: Oid) => decodeText(await history.bytes(oid));
    const [base, ours, theirs] = [await text(after), await text(now.oid), await text(before)];
    const merged = base === null || ours === null || theirs === null ? null : mergeTexts(base, ours, theirs);
    if (merged === null || ours === null) return "conflict";
    // Where an agent moved an authority line that the human has taken away since, its place must not bring it back.
    const guard = isAgents && isMainDoc(path) ? guardDoc(ours, merged) : null;
    const kept = guard?.ok === false ? guard.repaired : merged;
    return kept === ours ? "same" : new TextEncoder().encode(kept);
  }

  return {
    async restore(id, path) {
      const found = await history.get(id);
      if (!found) return { ok: false, refusal: { kind: "unknown-commit" } };
      const time = new Date(found.record.time).toISOString().slice(0, 16).replace("T", " ");
      const summary = `restored ${path ?? "everything"} as of ${time} UTC`;
      return turnBack(summary, () => restorePlan(found.record, path));
    },
    async undo(id, path) {
      const found = await history.get(id);
      if (!found) return { ok: false, refusal: { kind: "unknown-commit" } };
      return turnBack(`undid “${found.record.summary}”${path === null ? "" : ` in ${namesOf([path])}`}`, () => undoPlan(found, path));
    },
  };
}
