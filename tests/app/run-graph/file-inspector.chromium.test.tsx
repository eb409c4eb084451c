import { render } from "solid-js/web";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Heard } from "../../../src/app/model/api/events.ts";
import { FileInspector } from "../../../src/app/run-graph/FileInspector.tsx";
import type { FileNode, HistoryCommit } from "../../../src/protocol/index.ts";
import { live } from "../../live-event.ts";

const commit = (id: string): HistoryCommit => ({
  id,
  time: "2026-11-21T20:11:05.000Z",
  by: { kind: "human" },
  summary: id,
  filesChanged: 1,
  undone: null,
});
const file: FileNode = { path: "page.html", createdBy: null, createdAt: "", updatedAt: "", versions: 1 };

let commits: readonly HistoryCommit[] = [];
let isBroken = false;
let reads = 0;
let dispose = () => {};
const listeners = new Set<(event: Heard) => void>();

beforeEach(() => {
  commits = [commit("a")];
  isBroken = false;
  reads = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    if (!path.startsWith("history?")) return Response.json({ error: "Not here." }, { status: 404 });
    reads++;
    return isBroken ? Response.json({ error: "It broke." }, { status: 500 }) : Response.json({ commits, more: false });
  });
});
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  listeners.clear();
});

test("an open version stays open and keeps the focus while the file is changed, and when the history can't be read", async () => {
  dispose = render(
    () => (
      <FileInspector
        file={file}
        choose={() => {}}
        edit={null}
        steps={[]}
        until={null}
        event={null}
        events={{ lost: () => false, listeners }}
      />
    ),
    document.body,
  );
  const details = await vi.waitUntil(() => document.querySelector("details"));
  details.open = true;
  const summary = details.querySelector("summary");
  summary?.focus();
  const change = () => {
    for (const listener of listeners) listener(live({ type: "history", data: { commit: "b" } }));
  };
  commits = [commit("b"), commit("a")];
  change();
  await expect.poll(() => document.querySelectorAll("details").length).toBe(2);
  expect(details.isConnected && details.open).toBe(true);
  expect(document.activeElement).toBe(summary);
  expect(details.textContent).toContain("Version 1");

  isBroken = true;
  change();
  await expect.poll(() => document.querySelector("[role=alert]")?.textContent).toContain("It broke.");
  expect(document.querySelectorAll("details").length).toBe(2);
  expect(details.isConnected && details.open).toBe(true);
  expect(document.activeElement).toBe(summary);
  expect(reads).toBe(3);
});
