import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { vibey } from "../../src/fs/actor.ts";
import { type InOrder, inOrder } from "../../src/fs/in-order.ts";
import { path } from "./notation.ts";

describe("events come in the order of the commits", () => {
  let seen: number[];
  let order: InOrder;
  beforeEach(() => {
    vi.useFakeTimers();
    seen = [];
    order = inOrder((events) => {
      for (const event of events) if (event.kind === "changed") seen.push(event.version);
    });
  });
  afterEach(() => {
    order.close();
    vi.useRealTimers();
  });
  const take = (version: number): void => order.take(version, [{ kind: "changed", path: path("a"), version, by: vibey }]);

  test("whatever the order they come in, each once", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8], { minLength: 8 }), fc.nat(8), (versions, startAt) => {
        seen = [];
        order = inOrder((events) => {
          for (const event of events) if (event.kind === "changed") seen.push(event.version);
        });
        for (const [at, version] of versions.entries()) {
          if (at === startAt) order.start(2);
          take(version);
          take(version);
        }
        if (startAt === 8) order.start(2);
        expect(seen).toEqual([3, 4, 5, 6, 7, 8]);
      }),
    );
  });

  test("the next is handed over at once", () => {
    order.start(0);
    take(1);
    expect(seen).toEqual([1]);
  });

  test("one that does not come is waited for, not for ever, and handed over when it comes after all", () => {
    order.start(0);
    take(2);
    take(5);
    vi.advanceTimersByTime(999);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([2]);
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([2, 5]);
    take(1);
    take(1);
    take(2);
    expect(seen).toEqual([2, 5, 1]);
    take(6);
    expect(seen).toEqual([2, 5, 1, 6]);
  });

  test("each gap has its own time", () => {
    order.start(0);
    take(2);
    vi.advanceTimersByTime(900);
    take(4);
    take(1);
    vi.advanceTimersByTime(900);
    expect(seen).toEqual([1, 2]);
    vi.advanceTimersByTime(100);
    expect(seen).toEqual([1, 2, 4]);
  });

  test("a number from nowhere does not stop the world", () => {
    order.start(0);
    take(Number.MAX_SAFE_INTEGER - 1);
    vi.advanceTimersByTime(1000);
    expect(seen).toEqual([Number.MAX_SAFE_INTEGER - 1]);
  });

  test("what came before the start is neither handed over nor waited for", () => {
    take(1);
    take(3);
    order.start(3);
    take(2);
    vi.advanceTimersByTime(5000);
    take(4);
    expect(seen).toEqual([4]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("nothing comes after close", () => {
    order.start(0);
    take(2);
    order.close();
    take(1);
    vi.advanceTimersByTime(5000);
    expect(seen).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
