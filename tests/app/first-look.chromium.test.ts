import { expect, test } from "vitest";
import { firstLook } from "../../src/app/docs/first-look.ts";

/** For each line, its classes and the texts of its marks. */
const drawn = (text: string) =>
  firstLook(text).map((line) => [
    line.className.replace(/^cm-line ?/, "").trim(),
    line.textContent,
    ...Array.from(line.children, (mark) => mark.className),
  ]);

test.each([
  ["# A title", "md-h md-h1", "A title"],
  ["### Third", "md-h md-h3", "Third"],
  ["#none", "", "#none"],
  ["> said", "md-quote", "said"],
  ["> Authorized: run_command", "", "> Authorized: run_command"],
  ["> Limit: agents 3", "", "> Limit: agents 3"],
])("%s", (line, look, text) => {
  expect(drawn(line)).toEqual([[look, text]]);
});

test("lists hang below their sign, by their depth", () => {
  expect(drawn("- one\n  1. two")).toEqual([
    ["md-item md-depth-1", "•one", "md-bullet"],
    ["md-item md-depth-2", "1.two", "md-number"],
  ]);
});

test("marks within a line are drawn as what they mean; others stay", () => {
  expect(drawn("a **b** _c_ `d` [e](f.md) snake_case_name 2 * 3 * 4")).toEqual([
    ["", "a b c d e snake_case_name 2 * 3 * 4", "md-strong", "md-em", "md-inline-code", "md-link"],
  ]);
});

test("code stays as it is written", () => {
  expect(drawn("```js\n# no title\n```\n# title").map(([look, text]) => [look, text])).toEqual([
    ["md-code md-fence", ""],
    ["md-code", "# no title"],
    ["md-code md-fence", ""],
    ["md-h md-h1", "title"],
  ]);
});

/** Work that grows with the square of the length would take minutes, so the test's usual time limit catches it. */
test.each(["*", "_", "`", "[", "**a", "[a]("])("a text of marks that never end is drawn at once: %s", (sign) => {
  expect(firstLook(sign.repeat(200_000 / sign.length))).toHaveLength(1);
});

test("of a text of empty lines no more is drawn than a screen can show", () => {
  expect(firstLook("\n".repeat(20_000))).toHaveLength(999);
});

test("a mark that does not end near its beginning is no mark", () => {
  const far = "a ".repeat(100);
  expect(drawn(`**${far}b**`)).toEqual([["", `**${far}b**`]]);
});
