// Events while the log is opening: commits of the history, commits whose events are unknown, and a history that opens late.
import { expect, test } from "vitest";
import type { Commits } from "../../../src/engine/log/commits.ts";
import type { Agents, RouteContext } from "../../../src/engine/routes/context.ts";
import { logRoutes } from "../../../src/engine/routes/log.ts";
import { deferred } from "../deferred.ts";
import { held, message, setUp } from "./set-up.ts";

/** A history with this many commits. */
function historyOf(count: { value: number }): Commits {
  return {
    upToDate: async () => {},
    newest: async () => count.value,
    times: async () => Array.from({ length: count.value }, (_, nth) => new Date(nth * 1000).toISOString()),
    events: async () => new Map(),
  };
}

test("a commit of the history that is noted while the index is read is no sign of a loss", async () => {
  const count = { value: 1 };
  const note: { now: () => Promise<void> } = { now: async () => {} };
  const { log, files, store } = await setUp({
    entries: [{ commits: 1 }],
    commits: async () => historyOf(count),
    around: (inner) => ({
      async readIndex(range) {
        await note.now();
        return inner.readIndex(range);
      },
    }),
  });
  const { id } = await files.readIndex();
  note.now = async () => {
    note.now = async () => {};
    count.value = 2;
    await store({ commits: 2 });
  };
  const opened = await log.open();
  expect([opened.logId, held(opened)]).toEqual([id, ["#1", "#2"]]);
});

test("commits that are made while the order is built again are in it", async () => {
  const count = { value: 1 };
  let during = async () => {};
  const { log, store } = await setUp({
    isKept: false,
    commits: async () => historyOf(count),
    around: (inner) => ({
      async list(prefix) {
        await during();
        return inner.list(prefix);
      },
    }),
  });
  during = async () => {
    during = async () => {};
    count.value = 2;
    await store({ commits: 2 });
    await store(message);
  };
  expect(held(await log.open())).toEqual(["#1", "0.0.message", "#2"]);
});

test("a commit whose events are not known ends the log that is just being opened, and the next one misses nothing", async () => {
  const [first, second] = [deferred<null>(), deferred<null>()];
  const waiting = [first.promise, second.promise];
  const { log, store, passTime } = await setUp({ entries: [{ commits: 1 }], commits: async () => waiting.shift() ?? null });
  const early = log.open();
  log.lacks();
  const late = log.open();
  first.resolve(null);
  const one = await early;
  await store(message);
  second.resolve(null);
  const other = await late;
  await passTime();
  expect([one.ended.aborted, other.ended.aborted]).toEqual([true, false]);
  expect(held(other)).toEqual(["0.0.message"]);
  await store({ ...message, keys: ["1.request"] });
  expect(held(other)).toEqual(["0.0.message", "1.request"]);
  expect(held(await log.open())).toEqual(["0.0.message", "1.request"]);
});

test("a commit whose events are not known while the order is built again makes it be built once more", async () => {
  let lists = 0;
  let during = () => {};
  const { log } = await setUp({
    isKept: false,
    around: (inner) => ({
      async list(prefix) {
        lists += 1;
        const found = await inner.list(prefix);
        during();
        return found;
      },
    }),
  });
  during = () => {
    during = () => {};
    log.lacks();
  };
  const { ended } = await log.open();
  expect([lists, ended.aborted]).toEqual([2, false]);
});

test("an index that is forgotten while it is read is built again at once", async () => {
  const count = { value: 2 };
  let during = async () => {};
  const { log, files, store, passTime } = await setUp({
    entries: [{ commits: 1 }],
    commits: async () => historyOf(count),
    around: (inner) => ({
      async readIndex(range) {
        const found = await inner.readIndex(range);
        await during();
        return found;
      },
    }),
  });
  during = async () => {
    during = async () => {};
    log.lacks();
    await passTime();
  };
  const opened = await log.open();
  expect([opened.ended.aborted, opened.logId, held(opened)]).toEqual([false, (await files.readIndex()).id, ["#1", "#2"]]);
  await store(message);
  expect(held(opened)).toEqual(["#1", "#2", "0.0.message"]);
  expect(await log.open()).toBe(opened);
});

test("a history that can be opened only later has its places in the log from the start", async () => {
  const { log, store } = await setUp({ entries: [{ commits: 1 }, message], commits: async () => null });
  const opened = await log.open();
  expect(held(opened)).toEqual(["#1", "0.0.message"]);
  await store({ commits: 3 });
  expect(held(opened)).toEqual(["#1", "0.0.message", "#2", "#3"]);
});

test("an order that can't be stored says why, and is built when it is asked for again", async () => {
  let isFull = true;
  const { log } = await setUp({
    isKept: false,
    around: (inner) => ({
      restartIndex: async (entries, options) =>
        isFull ? { ok: false, failure: { kind: "full", message: "full" } } : inner.restartIndex(entries, options),
    }),
  });
  await expect(log.open()).rejects.toMatchObject({ name: "StorageError", kind: "full" });
  const context: Partial<RouteContext> = { log, agents: async () => ({}) as Agents };
  const ask = logRoutes(context as RouteContext, (error) => expect.fail(String(error)));
  for (const path of ["/log", "/log.json", "/events?since="]) {
    const answer = await ask(new Request(`http://engine${path}`));
    expect([answer.status, await answer.text()]).toEqual([507, expect.stringContaining("storage is full")]);
  }
  isFull = false;
  expect(held(await log.open())).toEqual([]);
});
