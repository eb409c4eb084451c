import { expect, test } from "vitest";
import { createDeadline } from "../../../src/engine/turn/response-deadline.ts";

test("a time that no timer can wait for is waited for in parts", () => {
  const waits: { readonly run: () => void; readonly ms: number }[] = [];
  const deadline = createDeadline(3_000_000, new AbortController().signal, (run, ms) => void waits.push({ run, ms }));
  deadline.extend(500);
  for (let at = 0; at < 2; at += 1) {
    expect(deadline.hasPassed()).toBe(false);
    waits[at]?.run();
  }
  expect(deadline.hasPassed()).toBe(true);
  expect(waits.map(({ ms }) => ms)).toEqual([2 ** 31 - 1, 3_000_000_000 + 500 - (2 ** 31 - 1), 1_000]);
});

test("time that doesn't count comes on top; a response that is there has no end", () => {
  const waits: { readonly run: () => void; readonly ms: number }[] = [];
  const later = (run: () => void, ms: number) => void waits.push({ run, ms });
  const deadline = createDeadline(2, new AbortController().signal, later);
  deadline.extend(700);
  waits[0]?.run();
  expect([deadline.hasPassed(), waits.map(({ ms }) => ms)]).toEqual([false, [2_000, 700]]);
  deadline.end();
  waits[1]?.run();
  expect(deadline.hasPassed()).toBe(false);
});
