import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKeyCarrier, type KeyCarrier, type OpenPage, patience } from "../../src/sw/take-over.ts";

const ports: MessagePort[] = [];
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  for (const port of ports.splice(0)) port.close();
});

/** An open page whose engine holds this. `undefined`: the page doesn't answer, like a frozen one. */
function page(id: string, holds: unknown, visibilityState: DocumentVisibilityState = "visible"): OpenPage & { asked: number } {
  const open = {
    id,
    visibilityState,
    asked: 0,
    postMessage(message: unknown, transfer: Transferable[]) {
      open.asked += 1;
      expect(message).toEqual({ kind: "hand-over-keys" });
      const port = transfer[0] as MessagePort;
      ports.push(port);
      if (holds !== undefined) port.postMessage(holds);
    },
  };
  return open;
}

function given(keys: KeyCarrier, id: string): unknown {
  const post = vi.fn<(message: unknown) => void>();
  keys.give(id, { postMessage: post });
  expect(post).toHaveBeenCalledTimes(1);
  return post.mock.calls[0]?.[0];
}

describe("the keys that a page is loaded with", () => {
  it("are those of the page before it, given to it alone, and once", async () => {
    const keys = createKeyCarrier();
    await keys.collect("new", [page("old", "held")]);
    expect([given(keys, "other"), given(keys, "new"), given(keys, "new")]).toEqual([[], ["held"], []]);
  });

  it("are those of every open page in sight, however soon one answers: two may be of different projects; pages that hold none are no answer", async () => {
    const keys = createKeyCarrier();
    await keys.collect("new", [page("one", null), page("two", "held"), page("three", "other")]);
    expect(given(keys, "new")).toEqual(["held", "other"]);
    await keys.collect("next", [page("one", null), page("two", null)]);
    expect(given(keys, "next")).toEqual([]);
  });

  it("are none when no page is open: a closed tab leaves nothing", async () => {
    const keys = createKeyCarrier();
    await keys.collect("new", [page("old", "held")]);
    given(keys, "new");
    await keys.collect("later", []);
    expect(given(keys, "later")).toEqual([]);
  });

  it("are there after two reloads in a row, although the page between them never fetched its own", async () => {
    const keys = createKeyCarrier();
    await keys.collect("second", [page("first", "held")]);
    const second = page("second", undefined);
    await keys.collect("third", [second]);
    expect([given(keys, "third"), second.asked]).toEqual([["held"], 0]);
  });

  it("are not waited for longer than a moment, nor asked of a page out of sight while one is in sight", async () => {
    const keys = createKeyCarrier();
    const hidden = page("hidden", "held", "hidden");
    const collected = keys.collect("new", [page("frozen", undefined), hidden]);
    await vi.advanceTimersByTimeAsync(patience.answerMs);
    await collected;
    expect([given(keys, "new"), hidden.asked]).toEqual([[], 0]);
    await keys.collect("new", [hidden]);
    expect(given(keys, "new")).toEqual(["held"]);
  });

  it("are waited for less long once one page has answered", async () => {
    const keys = createKeyCarrier();
    const collected = keys.collect("new", [page("frozen", undefined), page("old", "held")]);
    // The answer arrives as a message, which takes real time.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(patience.othersMs);
    await collected;
    expect(given(keys, "new")).toEqual(["held"]);
  });

  it("are dropped when the page does not fetch them", async () => {
    const keys = createKeyCarrier();
    await keys.collect("new", [page("old", "held")]);
    await vi.advanceTimersByTimeAsync(patience.heldMs);
    expect(given(keys, "new")).toEqual([]);
  });

  it("are not collected for a page that has no id", async () => {
    const keys = createKeyCarrier();
    const old = page("old", "held");
    await keys.collect("", [old]);
    expect([given(keys, ""), old.asked]).toEqual([[], 0]);
  });
});
