import { parser, GFM } from "@lezer/markdown";
import { array, assert, constantFrom, nat, property } from "fast-check";
import { expect, test } from "vitest";
import { GroupedParser } from "../../../../src/app/docs/editor/syntax/grouped-parser.ts";
import { eachLook } from "../../../../src/app/docs/editor/syntax/looks.ts";

const markdown = parser.configure(GFM);

function looksIn(text: string, from: number, to: number, group: number): string[] {
  const found: string[] = [];
  const tree = new GroupedParser(markdown, { group, stride: 1, block: 100_000 }).parse(text);
  eachLook(tree, from, to, (start, end, names) => found.push(`${names}: ${text.slice(start, end)}`));
  return found;
}

test("strong, slanted and struck words and marks have names for the style sheet", () => {
  expect(looksIn("# A **strong** _word_\n\n<!-- aside -->\n\n~~gone~~\n", 0, 50, 8)).toEqual([
    "md-mark: #",
    "md-strong md-mark: **",
    "md-strong: strong",
    "md-strong md-mark: **",
    "md-em md-mark: _",
    "md-em: word",
    "md-em md-mark: _",
    "md-mark: <!-- aside -->",
    "md-del md-mark: ~~",
    "md-del: gone",
    "md-del md-mark: ~~",
  ]);
});

test("a part of the text has the looks that the whole has there, however its blocks are grouped", () => {
  const line = constantFrom(
    "",
    "# h",
    "**strong",
    "words** _em_",
    "- ~~x~~ item",
    "> **q**",
    "<!-- c -->",
    "```",
    "| **a** | b |",
    "|---|---|",
  );
  assert(
    property(array(line, { maxLength: 20 }), nat(), nat(), constantFrom(1, 20, 8_192), (lines, a, b, group) => {
      const text = lines.join("\n");
      const [from = 0, to = 0] = [a % (text.length + 1), b % (text.length + 1)].toSorted((x, y) => x - y);
      const letters = Array.from(text, () => "");
      eachLook(new GroupedParser(markdown).parse(text), 0, text.length, (start, end, names) => letters.fill(names, start, end));
      const part = Array.from(text, () => "");
      eachLook(new GroupedParser(markdown, { group, stride: 1, block: 100_000 }).parse(text), from, to, (start, end, names) =>
        part.fill(names, start, end),
      );
      expect(part).toEqual(letters.map((names, at) => (at >= from && at < to ? names : "")));
    }),
  );
});
