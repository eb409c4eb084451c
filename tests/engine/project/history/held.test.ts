import { expect, test } from "vitest";
import { byOf } from "../../../../src/engine/project/history/people.ts";
import { startRecorder } from "../../../../src/engine/project/history/recorder.ts";
import { type Actor, agent, human } from "../../../../src/fs/actor.ts";
import type { Files } from "../../../../src/fs/files.ts";
import { openHistory } from "../../../../src/fs/history/history.ts";
import { historyMemory, memoryHistoryStore } from "../../../../src/fs/history/memory-store.ts";
import type { HistoryStore } from "../../../../src/fs/history/store.ts";
import { memoryFiles } from "../../../../src/fs/memory.ts";
import { limits } from "../../../../src/protocol/limits.ts";
import { path } from "../../../fs/notation.ts";

/** A recorder whose commits fail while `full` is set, with files that claim to be large. */
async function paused() {
  const memory = historyMemory();
  const inner = memoryHistoryStore(memory);
  const state = { full: false };
  const store: HistoryStore = {
    ...inner,
    write: async (batch, epoch) =>
      state.full && batch.commit ? { ok: false, failure: { kind: "full", message: "" } } : inner.write(batch, epoch),
  };
  const stored = memoryFiles({ now: () => 0 });
  const readMany: Files["readMany"] = async (paths) =>
    (await stored.readMany(paths)).map((content) => content && { ...content, size: limits.historyHeldBytes + 1 });
  const notices: string[] = [];
  const recorder = await startRecorder({
    files: { ...stored, readMany },
    history: await openHistory(store),
    store,
    fileChanges: { since: () => [] },
    replaced: () => undefined,
    committed: () => undefined,
    emit: (event) => void (event.type === "notice" && notices.push(event.data.message)),
    now: () => new Date(0),
    later: () => undefined,
    report: (error) => expect.unreachable(String(error)),
  });
  stored.watch((events) => recorder.saw(events));
  const write = async (name: string, by: Actor) => {
    const changes = [{ op: "write", path: path(name), data: JSON.stringify(by) } as const];
    await recorder.before(changes, by);
    await stored.commit(changes, { durability: "strict", by });
  };
  return { memory, state, notices, recorder, write };
}

test("of what is replaced while the history is paused only so much is kept; a change after a lost one is no one's alone", async () => {
  const { memory, state, notices, recorder, write } = await paused();
  await recorder.settle("all");
  state.full = true;
  for (const name of ["x", "y", "z"]) for (const by of [agent("a"), human]) await write(name, by);
  expect(await recorder.settle("all")).toMatchObject({ ok: false });
  state.full = false;
  expect(await recorder.settle("all")).toEqual({ ok: true });
  expect(memory.commits.map((commit) => ({ ...byOf(commit), summary: commit.summary }))).toEqual([
    { kind: "agent", dialogId: "a", summary: "added x" },
    { kind: "human", summary: "edited x" },
    { kind: "agent", dialogId: "", summary: "added y" },
    { kind: "agent", dialogId: "", summary: "added z" },
  ]);
  expect(notices.filter((notice) => notice.startsWith("The history can't keep up"))).toHaveLength(1);
});
