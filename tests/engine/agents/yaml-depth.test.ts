import { array, assert, constantFrom, property } from "fast-check";
import { type Document, isCollection, isPair, parseDocument } from "yaml";
import { describe, expect, test } from "vitest";
import { readFrontMatter } from "../../../src/engine/agents/front-matter.ts";
import { depthOf, isDeep } from "../../../src/engine/agents/yaml-depth.ts";

/** The depth of what the parser makes of a text. */
function levels(node: unknown): number {
  if (isPair(node)) return Math.max(levels(node.key), levels(node.value));
  return isCollection(node) ? 1 + Math.max(0, ...node.items.map(levels)) : 0;
}

const parsed = (text: string): Document => parseDocument(text, { logLevel: "silent", prettyErrors: false, uniqueKeys: false });

describe("the depth of YAML", () => {
  test.each<[string, string]>([
    ["brackets that quoted ones seem to close", `notes: ${"{']': 1, ? ".repeat(300)}a${"}".repeat(300)}`],
    ["a list that quoted brackets seem to close", `notes: [${"[']',".repeat(1_600)}`],
    ["mappings on one line", `${"a: ".repeat(2_700)}x`],
    ["keys on one line", `${"? ".repeat(2_700)}x`],
    ["keys on one line behind a key", `notes: ${"? ".repeat(2_700)}x`],
    ["values without keys", `${": ".repeat(2_700)}x`],
    ["lists on one line", `notes:\n${"- ".repeat(2_700)}x`],
    ["lists in brackets", `notes: [${"- ".repeat(2_700)}x]`],
    ["lists with tags", `notes:\n${"- !!seq ".repeat(1_000)}`],
    ["mappings on many lines", Array.from({ length: 100 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
    ["lists on many lines", Array.from({ length: 4 }, (_, at) => `${" ".repeat(80 * at)}${"- ".repeat(40)}`).join("\n")],
    ["lines of mappings that aren't valid", "a: a: a: a: b\n".repeat(30)],
    ["brackets that don't end, one behind the other", "a: [[[[\n".repeat(20)],
  ])("is too much: %s", (_, text) => {
    expect(isDeep(text)).toBe(true);
    const { entries, body } = readFrontMatter(`---\n${text}\n---\nBody\n`, () => false);
    expect([...entries.values()].every(({ isRaw }) => isRaw)).toBe(true);
    expect(body).toBe("Body");
  });

  test.each<[string, string, number]>([
    ["a text", "a", 0],
    ["a mapping with many keys", "a: 1\nb: 2\nc: 3\n".repeat(50), 1],
    ["lists of mappings", "a:\n  - b: 1\n    c: 2\n  - b: 3\n    c: 4\n".repeat(50), 3],
    ["brackets", "a: {b: {c: [1, 2, {d: 1}]}, e: [f: 1]}", 5],
    ["brackets in a key", "[[a], [b]]: c", 3],
    ["brackets in a text", `a: text with ${"{ [ ".repeat(100)}`, 1],
    ["brackets in quotes", `a: "${"{".repeat(100)}"`, 1],
    ["brackets in a block", `a: |\n  ${"{\n  ".repeat(100)}`, 1],
    ["a single bracket in a block", "a: |\n  {\nb: |-\n  -\n", 1],
  ])("is counted: %s", (_, text, depth) => {
    expect(depthOf(text)).toBe(depth);
  });

  // An alias before a key in brackets makes three levels of one bracket: `[*a a: `.
  test("is at least a third of what the parser makes of any text", () => {
    const part = constantFrom(
      "a",
      " ",
      "  ",
      "\n",
      "\n  ",
      "- ",
      "? ",
      ": ",
      "a: ",
      "{",
      "}",
      "[",
      "]",
      ",",
      "'",
      '"',
      "|\n",
      "#",
      "&a ",
      "!t ",
      "*a ",
      "\t",
      "---\n",
      "...\n",
      "\r\n",
    );
    assert(
      property(array(part, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        expect(levels(parsed(text).contents)).toBeLessThanOrEqual(3 * depthOf(text) + 1);
      }),
      {
        numRuns: 2_000,
        examples: [
          [["[", "*a ", "- ", "]", ": "]],
          [["[", "*a ", "a: ", "]", "[", "a: "]],
          [Array.from({ length: 15 }, () => ["[", "*a ", "a: "]).flat()],
        ],
      },
    );
  });
});

test("a key that is a list or a mapping makes a value a text", () => {
  const text = `${"{? ".repeat(48)}a${"}".repeat(48)}`;
  for (const value of [text, "{? [a, b] : 1}", "{[a]: 1}", "[{? {b: 1}}]", "\n  ? - a\n  : 1"]) {
    const { entries } = readFrontMatter(`---\nnotes: ${value}\n---\n`, () => false);
    expect(entries.get("notes")).toMatchObject({ isRaw: true, value: value.trim().replaceAll("\n  ", "\n") });
  }
  expect(readFrontMatter("---\nnotes: {? a : 1}\n---\n", () => false).entries.get("notes")).toMatchObject({
    isRaw: false,
    value: { a: 1 },
  });
});
