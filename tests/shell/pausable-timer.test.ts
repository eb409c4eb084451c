import { expect, test } from "vitest";
import { createTimeLimit } from "../../src/shell/embedded/pausable-timer.ts";
import { manualTimers } from "../engine/providers/timers.ts";

function limited(ms: number) {
  const timers = manualTimers(0);
  const aborted = new AbortController();
  const limit = createTimeLimit(
    ms,
    {
      now: () => timers.now(),
      sleep: (pause, signal) =>
        new Promise((resolve) => {
          timers.after(pause, () => resolve());
          signal.addEventListener("abort", () => resolve());
        }),
    },
    aborted.signal,
  );
  const pass = async (pause: number): Promise<void> => {
    timers.advance(pause);
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { limit, aborted, pass, state: () => [limit.stop(), limit.left(), limit.signal.aborted] };
}

test("it is over after its time", async () => {
  const { limit, pass, state } = limited(1000);
  await pass(999);
  expect(state()).toEqual([null, 1, false]);
  await pass(1);
  expect(state()).toEqual(["time", 0, true]);
  expect([limit.isOver(0), limit.isOver(1)]).toEqual([true, false]);
});

test("time that stands still does not count, however often it does", async () => {
  const { limit, pass, state } = limited(1000);
  for (let i = 0; i < 3; i++) {
    await pass(300);
    limit.setClock(false);
    limit.setClock(false);
    await pass(1e6);
    expect(limit.stop()).toBe(null);
    limit.setClock(true);
    limit.setClock(true);
  }
  expect(state()).toEqual([null, 100, false]);
  await pass(99);
  expect(state()).toEqual([null, 1, false]);
  await pass(1);
  expect(state()).toEqual(["time", 0, true]);
});

test("an abort counts while time stands still too", async () => {
  const { limit, aborted, pass, state } = limited(1000);
  limit.setClock(false);
  await pass(1e6);
  aborted.abort();
  expect(state()).toEqual(["aborted", 1000, true]);
});

test("at its end whoever still waits on its behalf hears of it", () => {
  const { limit } = limited(1000);
  expect(limit.signal.aborted).toBe(false);
  limit.end();
  expect(limit.signal.aborted).toBe(true);
});
