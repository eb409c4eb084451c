import { ensureSyntaxTree } from "@codemirror/language";
import { EditorState, Text } from "@codemirror/state";
import { parser } from "@lezer/yaml";
import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { expect, test } from "vitest";
import { drawFrontMatter, frontMatter, frontMatterEnd, frontMatterIn } from "../../../../src/app/docs/editor/front-matter.ts";
import { names } from "../../../../src/app/docs/editor/languages.ts";
import { draw } from "../../../../src/app/docs/editor/live/live.ts";
import { outlineOf } from "../../../../src/app/docs/editor/outline.ts";
import { markdown } from "../../../../src/app/docs/editor/syntax/markdown.ts";

const textOf = (text: string) => Text.of(text.split("\n"));

test.each([
  ["---\na: b\n---\nc", "a: b", "---\na: b\n---"],
  ["\n \n---  \na: b\n...\nc", "a: b", "\n \n---  \na: b\n..."],
  ["\uFEFF---\na: b\n---", "a: b", "\uFEFF---\na: b\n---"],
  ["---\n---\nc", "", "---\n---"],
  ["---\n\n---", "", "---\n\n---"],
  ["---\na: b\n----\n", null, ""],
  ["----\na: b\n---\n", null, ""],
  ["a\n---\nb: c\n---\n", null, ""],
  ["", null, ""],
  [`---\n${"a: b\n".repeat(5_000)}---\n`, null, ""],
])("front matter of %j is %j", (text, yaml, whole) => {
  const found = frontMatterIn(textOf(text));
  expect(found && text.slice(found.begin, found.end)).toBe(yaml);
  expect(text.slice(0, found?.to ?? 0)).toBe(whole);
});

test("after any edits it is where it is in the whole text", () => {
  const piece = constantFrom("---", "\n", "a: b", "...", "# c", " ", "");
  const edit = record({ at: nat(), to: nat(), insert: array(piece, { maxLength: 4 }) });
  assert(
    property(array(piece, { maxLength: 12 }), array(edit, { maxLength: 5 }), (pieces, edits) => {
      let state = EditorState.create({ doc: pieces.join(""), extensions: [frontMatter] });
      for (const { at, to, insert } of edits) {
        const length = state.doc.length + 1;
        const [from = 0, end = 0] = [at % length, to % length].toSorted((x, y) => x - y);
        state = state.update({ changes: { from, to: end, insert: insert.join("") } }).state;
        expect(frontMatterEnd(state)).toBe(frontMatterIn(state.doc)?.to ?? 0);
      }
    }),
  );
});

test("keys, texts, numbers and remarks have the colours of YAML, and the hyphens are marks", () => {
  const doc = textOf("---\nname: 'a' # b\n---\nname: c");
  const found = frontMatterIn(doc);
  if (found === null) throw new Error("no front matter");
  const pieces = (colour: Parameters<typeof drawFrontMatter>[2]) => {
    const drawn: string[] = [];
    drawFrontMatter(doc, found, colour).between(0, doc.length, (from, to, { spec }) => {
      drawn.push(`${String(spec.class)}:${doc.sliceString(from, to)}`);
    });
    return drawn;
  };
  expect(pieces({ parser, names })).toEqual(["md-mark:---", "code-literal:name", "code-string:'a'", "code-comment:# b", "md-mark:---"]);
  // Before the parser and its names have loaded.
  expect(pieces(null)).toEqual(["md-mark:---", "md-mark:---"]);
});

test("nothing in it is drawn as Markdown or listed as a heading", () => {
  const front = "---\n# remark\nname: **x**\n- item\n---\n";
  const begun = EditorState.create({ doc: `${front}# Title`, extensions: [markdown, frontMatter] });
  ensureSyntaxTree(begun, begun.doc.length, 1e9);
  // Only the next state contains the finished tree.
  const { state } = begun.update({});
  const drawn: number[] = [];
  draw({ state, hasFocus: false, visibleRanges: [{ from: 0, to: state.doc.length }] }).between(0, state.doc.length, (from) => {
    drawn.push(from);
  });
  expect(drawn.length).toBeGreaterThan(0);
  expect(drawn.filter((from) => from < front.length)).toEqual([]);
  expect(outlineOf(`${front}# Title`.split("\n"))).toEqual([{ level: 1, title: "Title", line: 6 }]);
  expect(outlineOf(`---\n# Open\n`.split("\n"))).toEqual([{ level: 1, title: "Open", line: 2 }]);
});
