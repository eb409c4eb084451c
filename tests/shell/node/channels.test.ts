import { expect, test } from "vitest";
import { createChannels, type Holder, mostChannels } from "../../../src/shell/embedded/node/frame/channels.ts";
import { readFromProcess } from "../../../src/shell/embedded/node/frame/read.ts";

/** A process that records what it receives. */
function holder(): Holder & { readonly heard: unknown[] } {
  const heard: unknown[] = [];
  return { heard, portPosted: (end, data) => heard.push([end, data]), portClosed: (end) => heard.push([end, "closed"]) };
}

test("what is posted to an end comes to the process that has it, wherever it was sent", () => {
  const channels = createChannels();
  const [main, a, b] = [holder(), holder(), holder()];
  expect(channels.give(["x.1"], main, a)).toBe(true);
  channels.post("x.1", 1, [], main);
  channels.post("x.0", 2, [], a);
  channels.give(["x.1"], a, main);
  channels.give(["x.1"], main, b);
  channels.post("x.1", 3, [], main);
  expect([main.heard, a.heard, b.heard]).toEqual([[["x.0", 2]], [["x.1", 1]], [["x.1", 3]]]);
});

test("an end that is posted over another one belongs to the process that gets it", () => {
  const channels = createChannels();
  const [main, a] = [holder(), holder()];
  channels.give(["x.1"], main, a);
  channels.post("x.1", "take", ["y.0"], main);
  channels.post("y.0", "over y", [], main);
  channels.post("y.1", "back", [], a);
  expect([main.heard, a.heard]).toEqual([
    [["y.1", "back"]],
    [
      ["x.1", "take"],
      ["y.0", "over y"],
    ],
  ]);
});

test("closing an end, or the end of its process, closes the other one once, and nothing comes after that", () => {
  const channels = createChannels();
  const [main, a] = [holder(), holder()];
  channels.give(["x.1", "y.1"], main, a);
  channels.close("x.0");
  channels.close("x.0");
  channels.left(a);
  channels.post("y.1", 1, [], main);
  channels.post("x.1", 1, [], main);
  expect(a.heard).toEqual([["x.1", "closed"]]);
  expect(main.heard).toEqual([["y.0", "closed"]]);
});

test("an end that is sent to a closed one is closed", () => {
  const channels = createChannels();
  const [main, a] = [holder(), holder()];
  channels.give(["x.1", "y.1"], main, a);
  channels.close("x.0");
  channels.post("x.1", "late", ["y.0"], main);
  expect(a.heard).toEqual([
    ["x.1", "closed"],
    ["y.1", "closed"],
  ]);
});

test("an end that is sent where no process is closes the other one, whether the shell knew of the channel or not", () => {
  const channels = createChannels();
  const [main, a] = [holder(), holder()];
  channels.lose(["new.1"], main);
  channels.post("none.1", 1, ["newer.0"], main);
  channels.give(["x.1"], main, a);
  channels.lose(["x.0"], main);
  channels.post("x.1", 1, [], main);
  expect(main.heard).toEqual([
    ["new.0", "closed"],
    ["newer.1", "closed"],
  ]);
  expect(a.heard).toEqual([["x.1", "closed"]]);
});

test("there is a limit to open channels", () => {
  const channels = createChannels();
  const [main, a] = [holder(), holder()];
  const names = Array.from({ length: mostChannels }, (_, i) => `c${i}.0`);
  expect(channels.give(names, main, a)).toBe(true);
  expect(channels.give(["more.0"], main, a)).toBe(false);
});

test.each([
  [{ type: "portPost", end: "abc1.0", data: 1, ports: ["x.1"] }, true],
  [{ type: "portPost", end: "abc1.2", data: 1, ports: [] }, false],
  [{ type: "portPost", end: "abc1.0", data: 1, ports: ["x"] }, false],
  [{ type: "portPost", end: "abc1.0", data: 1 }, false],
  [{ type: "portPost", end: "abc1.0", data: 1, ports: Array.from({ length: 1_001 }, () => "x.0") }, false],
  [{ type: "portClose", end: "abc1.1" }, true],
  [{ type: "portClose", end: `${"a".repeat(41)}.1` }, false],
  [{ type: "post", to: 0, kind: "message", data: 1, ports: [] }, true],
  [{ type: "post", to: 0, kind: "message", data: 1 }, false],
])("%j is a message: %s", (message, isOne) => {
  expect(readFromProcess(message) !== null).toBe(isOne);
});
