import { describe, expect, test } from "vitest";
import { canBecomeOpener, escapeLine, LONGEST_OPENER, unescapeLine } from "../../src/dialog/escape.ts";

describe("a line that could read as structural gets one backslash more", () => {
  test.each([
    "# Dialog",
    "# Dialogue",
    "## User",
    "## Users",
    "## Assistant",
    "Tool request: x [y]",
    "Tool request: ",
    "Decision: approved",
    "Decision: ",
    "Started:",
    "Started: ",
    "Result:",
    "Result: 1",
    "> Authorized: x",
    "> Authorized:x",
    "> Unknown:",
    "> Usage cumulative: 1",
    "> Usage cached: read=1 write=0",
    "> Cost: 1 USD",
    "> Cost cumulative: 1 USD",
    "> A: b",
    `> A${"b".repeat(31)} ${"c".repeat(31)}: d`,
    "\\# Dialog",
    `${"\\".repeat(9)}Decision: approved`,
  ])("%s", (line) => {
    expect(escapeLine(line)).toBe(`\\${line}`);
    expect(unescapeLine(`\\${line}`)).toBe(line);
  });
});

describe("any other line stays as it is", () => {
  test.each([
    "",
    "\\",
    "\\\\ # Dialog",
    " # Dialog",
    "# dialog",
    "#Dialog",
    "## user",
    "### User",
    "Tool request:",
    "Decision:",
    "Decision:approved",
    "result:",
    "> authorized: x",
    ">Authorized: x",
    ">  Authorized: x",
    "> Authorized x",
    "> Authorized : x",
    "> Two Words: x",
    "> Three small words: x",
    "> Key1: x",
    `> A${"b".repeat(32)}: c`,
    `> A ${"b".repeat(32)}: c`,
    "---",
    "\r## User",
    "a\r## User",
    "\u2028## User",
    "\0## User",
  ])("%j", (line) => {
    expect(escapeLine(line)).toBe(line);
    expect(unescapeLine(line)).toBe(line);
  });
});

test("every proper beginning of an opener can become one, and nothing else", () => {
  const openers = ["# Dialog", "## User", "## Assistant", "Tool request: ", "Decision: ", "Started:", "Result:", "> A:", "> Abc def:"];
  const longest = `> A${"b".repeat(31)} ${"c".repeat(31)}:`;
  expect(longest).toHaveLength(LONGEST_OPENER);
  for (const opener of [...openers, longest]) {
    for (let end = 1; end < opener.length; end++)
      expect([opener.slice(0, end), canBecomeOpener(opener.slice(0, end))]).toEqual([opener.slice(0, end), true]);
    expect(canBecomeOpener(opener)).toBe(false);
    expect(canBecomeOpener(`${opener}x`)).toBe(false);
  }
  for (const other of [
    "",
    "\\",
    " ",
    "a",
    "> a",
    "> Aé",
    "> A B",
    "> A  ",
    "> A b ",
    longest.replace("b", "bb"),
    `> A ${"c".repeat(32)}`,
  ]) {
    expect([other, canBecomeOpener(other)]).toEqual([other, false]);
  }
});
