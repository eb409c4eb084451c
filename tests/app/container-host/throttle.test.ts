import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createThrottle } from "../../../src/app/container-host/throttle.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("what is asked for twice in a moment is done once, the last of it", () => {
  const soon = createThrottle(() => false);
  const calls: string[] = [];
  soon(() => calls.push("first"));
  soon(() => calls.push("second"));
  expect(calls).toEqual([]);
  vi.runAllTimers();
  expect(calls).toEqual(["second"]);
  soon(() => calls.push("third"));
  vi.runAllTimers();
  expect(calls).toEqual(["second", "third"]);
});

test("out of sight no timer is waited for, also not one that has begun", async () => {
  let hidden = false;
  const soon = createThrottle(() => hidden);
  const calls: string[] = [];
  soon(() => calls.push("in sight"));
  hidden = true;
  // The fake timers don't advance here.
  await new Promise<void>((resolve) =>
    soon(() => {
      calls.push("hidden");
      resolve();
    }),
  );
  expect(calls).toEqual(["hidden"]);
  vi.runAllTimers();
  expect(calls).toEqual(["hidden"]);
});
