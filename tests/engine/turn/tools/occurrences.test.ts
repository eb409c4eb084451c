import { expect, test } from "vitest";
import { lineOfOnly } from "../../../../src/engine/turn/tools/occurrences.ts";

test.each([
  ["a\nb\nc", "c", 3],
  ["a\nb\nc", "b\nc", 2],
  ["a\nb", "x", null],
  ["a\na", "a", null],
  ["aaa", "aa", null],
  ["a", "", null],
  ["a", 1, null],
])("in %j, %j starts at line %s", (text, part, line) => {
  expect(lineOfOnly(text, part)).toBe(line);
});
