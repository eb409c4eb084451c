import { expect, test } from "vitest";
import { createQuiet } from "../../src/sw/quiet.ts";

/** A clock that only waiting advances; `at` is called with each new time. */
function clock(at: (now: number) => void = () => undefined) {
  let now = 0;
  return {
    now: () => now,
    after: async (ms: number) => {
      now += ms;
      at(now);
    },
  };
}

test("a worker is quiet when nothing was asked for in a while, whatever was asked for before", async () => {
  let note = () => {};
  const time = clock((now) => {
    if (now === 300 || now === 400) note();
  });
  const quiet = createQuiet(time.now, time.after, { quietMs: 500, mostMs: 5_000, lookMs: 50 });
  note = quiet.note;
  await quiet.wait();
  expect(time.now()).toBe(900);
  await quiet.wait();
  expect(time.now()).toBe(900);
});

test("one that is asked again and again is not waited for any longer", async () => {
  let note = () => {};
  const time = clock(() => note());
  const quiet = createQuiet(time.now, time.after, { quietMs: 500, mostMs: 5_000, lookMs: 50 });
  note = quiet.note;
  await quiet.wait();
  expect(time.now()).toBe(5_000);
});
