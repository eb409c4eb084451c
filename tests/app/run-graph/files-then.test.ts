import { expect, test } from "vitest";
import { pathsThen, textThen } from "../../../src/app/run-graph/files-then.ts";
import { writtenFiles, writtenSince } from "../../../src/engine/run-graph/files-at.ts";
import type { Step, WrittenOp } from "../../../src/protocol/index.ts";

/** `a>x`: agent a wrote x; `a-x`: it deleted x; `a;`: its turn ended. */
const step = (text: string): Step => {
  const [, dialogId = "", sign, path = ""] = /^(\w)(.)(.*)$/.exec(text) ?? [];
  const place = { cursor: text, time: "", dialogId };
  if (sign === ";") return { ...place, what: "turn", commit: "c", paths: [] };
  return { ...place, what: "wrote", path, ...(sign === "-" ? { gone: true } : {}) };
};

test.each([
  ["x y", "", "x y"],
  ["x", "a>y", "x y"],
  ["x", "a-x", ""],
  ["x", "a-x a>x", "x"],
  // The commit of a turn contains its writes.
  ["", "a>x a;", ""],
  ["", "a>x b>y a;", "y"],
  ["", "a>x b-x", ""],
  ["", "a>x b-x a>x", "x"],
])("with %j in the history, and then %j, there is %j", (committed, steps, then) => {
  const written = writtenFiles(writtenSince(steps.split(" ").filter(Boolean).map(step)));
  expect(pathsThen(committed.split(" ").filter(Boolean), written).join(" ")).toBe(then);
});

const write: WrittenOp = { op: "write", text: "one two" };
test.each([
  ["old", [], "old"],
  [null, [], null],
  [null, [write], "one two"],
  ["old", [write, { op: "edit", old: "one", text: "$&" }], "$& two"],
  ["old", [{ op: "delete" }], null],
  ["a a", [{ op: "edit", old: "a", text: "b" }], undefined],
  ["old", [{ op: "unknown" }], undefined],
  ["old", [{ op: "unknown" }, write], "one two"],
] as const)("%j and then %j", (committed, ops, text) => {
  expect(textThen(committed, ops)).toBe(text);
});
