import { expect, test } from "vitest";
import { openHistory } from "../../../src/fs/history/history.ts";
import { historyMemory, memoryHistoryStore } from "../../../src/fs/history/memory-store.ts";
import type { HistoryStore, WriteResult } from "../../../src/fs/history/store.ts";
import { commitFiles, realGit, textsAt } from "./project.ts";

/** Contents so large that they are written before their commit, and a small one that is written with it. */
const large = (n: number) => new Uint8Array(5 * 1024 * 1024).fill(n);
const contents = { "a.bin": large(1), "b.bin": large(2), "c/d.txt": "small" };

/** The n-th write, counted from 1, fails, and so do all after it; `dies`: they never answer. */
function endsAt(n: number, inner: HistoryStore, how: WriteResult | "dies"): HistoryStore {
  let writes = 0;
  return {
    ...inner,
    write(batch, epoch) {
      writes += 1;
      if (writes < n) return inner.write(batch, epoch);
      return how === "dies" ? new Promise(() => undefined) : Promise.resolve(how);
    },
  };
}

const full: WriteResult = { ok: false, failure: { kind: "full", message: "no space" } };

test.each([1, 2, 3])(
  "power that goes at write %d of a commit leaves nothing behind: the next writer removes what came too early",
  async (n) => {
    const memory = historyMemory();
    await commitFiles(await openHistory(memoryHistoryStore(memory)), { kept: "1" });
    const before = [...memory.objects.keys()];
    const dying = await openHistory(endsAt(n, memoryHistoryStore(memory), "dies"));
    void commitFiles(dying, contents);
    await expect.poll(() => memory.early.size, { timeout: 20_000 }).toBe(n - 1);
    expect(memory.objects.size).toBe(before.length + n - 1);

    const history = await openHistory(memoryHistoryStore(memory));
    expect([...memory.objects.keys()]).toEqual(before);
    expect(memory.early.size).toBe(0);
    const record = await commitFiles(history, contents);
    expect(Object.keys(record ? await textsAt(history, record) : {})).toEqual(["a.bin", "b.bin", "c/d.txt", "kept"]);
    expect(memory.early.size).toBe(0);
    const git = await realGit(memoryHistoryStore(memory));
    expect(git("fsck", "--full", "--strict", "--unreachable")).toBe("");
  },
);

test("a commit for which there is no space gives back at once what it took, and can be made later", async () => {
  const memory = historyMemory();
  let space = false;
  const inner = memoryHistoryStore(memory);
  const history = await openHistory({
    ...inner,
    write: async (batch, epoch) => (batch.commit && !space ? full : inner.write(batch, epoch)),
  });
  await expect(commitFiles(history, contents)).rejects.toThrow("full");
  expect([memory.objects.size, memory.early.size, memory.commits.length]).toEqual([0, 0, 0]);
  space = true;
  await commitFiles(history, contents);
  const git = await realGit(memoryHistoryStore(memory));
  expect(git("fsck", "--full", "--strict", "--unreachable")).toBe("");
});

test("what could not be given back, and was then committed after all, is never removed", async () => {
  const memory = historyMemory();
  const inner = memoryHistoryStore(memory);
  let works = false;
  const history = await openHistory({ ...inner, write: async (batch, epoch) => (batch.early || works ? inner.write(batch, epoch) : full) });
  await expect(commitFiles(history, contents)).rejects.toThrow("full");
  expect(memory.early.size).toBe(2);
  works = true;
  const record = await commitFiles(history, contents);
  expect(memory.early.size).toBe(0);
  const next = await openHistory(memoryHistoryStore(memory));
  expect(record && Object.keys(await textsAt(next, record))).toEqual(["a.bin", "b.bin", "c/d.txt"]);
});
