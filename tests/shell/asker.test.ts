import { expect, test } from "vitest";
import { type AskedWorker, createAsker } from "../../src/shell/embedded/parts/asker.ts";
import type { Asked } from "../../src/shell/embedded/parts/part.ts";

/** Workers that answer when told to, and a clock that the test moves. */
function stage() {
  const made: { asked: Asked[]; isOver: boolean; say: (id: number, answer: unknown) => void; fail: () => void }[] = [];
  const timers = new Set<() => void>();
  let isRefused = false;
  function createWorker(): AskedWorker {
    if (isRefused) throw new TypeError("no worker");
    const listeners = new Map<string, (event: never) => void>();
    const worker = {
      asked: [] as Asked[],
      isOver: false,
      say: (id: number, answer: unknown) => listeners.get("message")?.({ data: { id, answer } } as never),
      fail: () => listeners.get("error")?.({ preventDefault: () => undefined } as never),
    };
    made.push(worker);
    return {
      postMessage: (asked) => void worker.asked.push(asked),
      terminate: () => void (worker.isOver = true),
      addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    };
  }
  const asker = createAsker(createWorker, (_ms, callback) => {
    timers.add(callback);
    return () => timers.delete(callback);
  });
  return {
    asker,
    made,
    timers,
    refuse: () => (isRefused = true),
    timeIsUp: () => {
      const due = Array.from(timers);
      timers.clear();
      for (const callback of due) callback();
    },
  };
}

test("one question after another, each answer to its own", async () => {
  const { asker, made, timers } = stage();
  const answers = [asker.ask("simple", "a"), asker.ask("parts", "b")];
  expect(made[0]?.asked.map(({ command }) => command)).toEqual(["a"]);
  made[0]?.say(1, [["a"]]);
  expect(made[0]?.asked.map(({ type, command }) => `${type} ${command}`)).toEqual(["simple a", "parts b"]);
  made[0]?.say(2, []);
  expect(await Promise.all(answers)).toEqual([[["a"]], []]);
  expect([made.length, timers.size]).toEqual([1, 0]);
});

test("no answer in time is none, and what comes later counts for nothing", async () => {
  const { asker, made, timeIsUp } = stage();
  const [first, second] = [asker.ask("simple", "a"), asker.ask("simple", "b")];
  timeIsUp();
  expect(await first).toBeNull();
  expect([made[0]?.isOver, made.length]).toEqual([true, 2]);
  made[0]?.say(2, [["forged"]]);
  made[1]?.say(2, [["b"]]);
  expect(await second).toEqual([["b"]]);
});

test("a worker that fails, or can't be had, answers nothing", async () => {
  const { asker, made, refuse } = stage();
  const first = asker.ask("simple", "a");
  made[0]?.fail();
  expect(await first).toBeNull();
  refuse();
  expect(await Promise.all([asker.ask("simple", "b"), asker.ask("simple", "c")])).toEqual([null, null]);
});

test("what waits when it ends gets no answer", async () => {
  const { asker, made, timers } = stage();
  const answer = asker.ask("simple", "a");
  asker.dispose();
  expect([await answer, made[0]?.isOver, timers.size]).toEqual([null, true, 0]);
});
