import { expect } from "vitest";
import type { Commits } from "../../../src/engine/log/commits.ts";
import { encodeEntry } from "../../../src/engine/log/entry.ts";
import { createLog, type Log, type OpenLog } from "../../../src/engine/log/log.ts";
import type { News } from "../../../src/engine/log/new-events.ts";
import type { Files } from "../../../src/fs/files.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";

const dialogId = "20261121-201100-game";
export const message: News = { dialogId, generation: 0, keys: ["0.0.message"] };

/** The log's positions, as entries store them. */
export const held = ({ positions }: OpenLog) => positions.map((position) => ("commit" in position ? `#${position.commit}` : position.key));

interface Setup {
  /** The entries in the index at the start. */
  readonly entries?: readonly News[];
  readonly isKept?: boolean;
  readonly commits?: () => Promise<Commits | null>;
  readonly around?: (files: Files) => Partial<Files>;
}

/** A log with files in memory, and a store that reports its commits to the log one by one. */
export async function setUp({ entries = [], isKept = true, commits = async () => null, around = () => ({}) }: Setup) {
  const inMemory = memoryFiles({ now: () => 0 });
  const epoch = await inMemory.lead();
  await inMemory.restartIndex(
    entries.map((news) => encodeEntry({ news: [news], rebuilt: false })),
    { epoch },
  );
  const files: Files = { ...inMemory, ...around(inMemory) };
  const timers: (() => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }
  const log: Log = createLog({
    files,
    epoch,
    commits,
    isKept,
    alone,
    later: (then) => void timers.push(then),
    report: (error) => expect.fail(String(error)),
  });
  /** The way in which the store of dialogs does it. */
  const store = (...news: News[]) =>
    alone(async () => {
      const index = log.entry(news);
      if (!index && news.every((one) => "commits" in one)) return;
      const result = await inMemory.commit([], { durability: "relaxed", epoch, ...(index ? { index } : {}) });
      if (result.ok) log.written(result.version, news);
    });
  const passTime = async () => {
    for (const timer of timers.splice(0)) timer();
    await alone(async () => undefined);
  };
  return { log, files: inMemory, store, passTime };
}
