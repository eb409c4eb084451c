import { render } from "solid-js/web";
import { afterEach, expect, test, vi } from "vitest";
import { CommitPane } from "../../../src/app/history/CommitPane.tsx";
import type { Heard } from "../../../src/app/model/api/events.ts";
import type { HistoryCommitAnswer, RestoreAnswer } from "../../../src/protocol/index.ts";
import { live } from "../../live-event.ts";

let dispose = () => {};
afterEach(() => {
  dispose();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const button = (text: string) => Array.from(document.querySelectorAll("button")).find((one) => one.textContent === text);

test("after Undo and Redo, the focus is on the button that takes it back", async () => {
  const listeners = new Set<(event: Heard) => void>();
  let undone: HistoryCommitAnswer["undone"] = null;
  vi.stubGlobal("fetch", async (path: string) => {
    if (path === "history/undo") {
      undone = undone === null ? { by: "b", files: 1 } : null;
      return Response.json({ ok: true, changed: ["a.txt"], kept: [], damaged: [], commit: "b" } satisfies RestoreAnswer);
    }
    const commit: HistoryCommitAnswer = {
      id: "a",
      time: "2026-11-21T20:11:05.000Z",
      by: { kind: "human" },
      summary: "change",
      filesChanged: 1,
      undone,
      changes: [{ path: "a.txt", change: "changed" }],
    };
    return Response.json(path === "history/a" ? commit : { before: "1\n", after: "2\n", binary: false });
  });
  dispose = render(() => <CommitPane id="a" path={null} events={{ lost: () => false, listeners }} running={[]} />, document.body);
  for (const [does, takesBack] of [
    ["Undo this change", "Redo this change"],
    ["Redo this change", "Undo this change"],
  ] as const) {
    (await vi.waitUntil(() => button(does))).focus();
    button(does)?.click();
    await expect.poll(() => document.querySelector(".outcome a")).not.toBeNull();
    for (const listener of listeners) listener(live({ type: "history", data: { commit: "b" } }));
    await expect.poll(() => button(does)).toBeUndefined();
    await expect.poll(() => document.activeElement?.textContent).toBe(takesBack);
  }
});
