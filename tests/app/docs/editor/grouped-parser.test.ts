import { defineLanguageFacet, ensureSyntaxTree, Language } from "@codemirror/language";
import { EditorState, Text } from "@codemirror/state";
import { Tree, TreeFragment } from "@lezer/common";
import { GFM, parser } from "@lezer/markdown";
import { array, assert, boolean, constantFrom, nat, oneof, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import { GroupedParser } from "../../../../src/app/docs/editor/syntax/grouped-parser.ts";

const markdown = parser.configure(GFM);

/** All nodes in text order, one `name from to` per line. */
function nodesOf(tree: Tree): string {
  const found: string[] = [];
  tree.iterate({ enter: ({ name, from, to }) => void found.push(`${name} ${from} ${to}`) });
  return found.join("\n");
}

/** Lines of every kind, separated by `¦`. */
const lines = [
  "¦¦ ¦\t¦\r¦words¦words\r¦  words¦lazy¦more words, *some* `set` **in\nother** ways¦# heading¦Title\n===¦===¦---¦***¦    indented¦\tindented",
  "```¦```js¦~~~¦- item¦- ¦* other¦  - inner¦  of the item¦    - deep¦      deep¦1. first¦2) second¦- [ ] task¦> quote¦> - in it¦> ```¦>",
  '<div>¦</div>¦<pre>¦</pre>¦<!--¦-->¦<!-- a --> b¦<? x¦?>¦[a]: /url¦[a]:¦"title"¦[a]: /url \'title¦![x](y)',
  "| a | b |¦|---|---|¦| 1 | 2 |¦a | b¦- | -¦--- | ---",
]
  .join("¦")
  .split("¦");
const line = constantFrom(...lines);
const linesUpTo = (maxLength: number) => array(line, { maxLength }).map((list) => list.join("\n"));
const text = oneof(
  linesUpTo(40),
  linesUpTo(40).map((list) => list.replaceAll("\n", "\r\n")),
);
const snippet = oneof(
  line,
  constantFrom("\n", "\n\n", " ", "`", "-", ">", "|", "=", "#", "    ", "<", "[", "\r\n", "a", ""),
  linesUpTo(6).map((list) => `${list}\n`),
);

interface Edit {
  readonly at: number;
  readonly length: number;
  readonly insert: string;
}
const edit = record({ at: nat(), length: nat({ max: 12 }), insert: snippet });
/** Where the parse stops; null if it doesn't. `continues`: it continues before the next edit. */
const stop = oneof(constantFrom(null), record({ at: nat(), continues: boolean() }));
/** Longer than any block here. */
const block = 100_000;
const sizes = constantFrom(
  { group: 1, stride: 1, block },
  { group: 40, stride: 8, block },
  { group: 200, stride: 40, block },
  { group: 8_192, stride: 1_024, block },
);
/** Sizes at which blocks end after a few lines. */
const short = constantFrom({ group: 1, stride: 1, block: 10 }, { group: 20, stride: 4, block: 30 }, { group: 40, stride: 8, block: 100 });

/** A text and its tree fragments, kept as an editor keeps them. */
function createDoc(grouped: GroupedParser, first: string) {
  let now = first;
  let fragments: readonly TreeFragment[] = [];
  return {
    text: () => now,
    /** The tree, and how often the parser was called. */
    parse(stopAt: number | null): { tree: Tree; calls: number } {
      const parsing = grouped.startParse(now, fragments);
      if (stopAt !== null) parsing.stopAt(stopAt);
      for (let calls = 1; calls < 100_000; calls++) {
        const tree = parsing.advance();
        if (tree === null) continue;
        fragments = TreeFragment.addTree(tree, fragments, stopAt !== null);
        return { tree, calls };
      }
      throw new Error("the parse does not end");
    },
    /** `minGap`: the number of unchanged UTF-16 units needed to reuse a fragment. */
    change({ at, length, insert }: Edit, minGap?: number) {
      const from = at % (now.length + 1);
      const to = Math.min(now.length, from + length);
      now = now.slice(0, from) + insert + now.slice(to);
      fragments = TreeFragment.applyChanges(fragments, [{ fromA: from, toA: to, fromB: from, toB: from + insert.length }], minGap);
    },
  };
}

/** Markdown with many small blocks. */
function long(length: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let nth = 0; size < length; nth++) {
    const part = `## Part ${nth}\n\nSome **bold** words.\n\n- a task\n- another\n\n\`\`\`js\nlet part = ${nth};\n\`\`\`\n\n| a | b |\n|---|---|\n| ${nth} | 2 |\n\n`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}
const sharedGroups = (before: Tree, now: Tree) => now.children.filter((group) => before.children.includes(group)).length;

describe("markdown parsed in groups", () => {
  test("has the nodes of a full parse after each of many edits, also where it was stopped before and went on", () => {
    assert(
      property(text, array(record({ edit, stop }), { maxLength: 8 }), sizes, constantFrom(1, 20), (first, steps, size, minGap) => {
        const doc = createDoc(new GroupedParser(markdown, size), first);
        doc.parse(null);
        for (const step of steps) {
          doc.change(step.edit, minGap);
          if (step.stop !== null) {
            const stopAt = step.stop.at % (doc.text().length + 1);
            const { tree } = doc.parse(stopAt);
            if (tree.length < doc.text().length) expect(tree.length).toBeGreaterThan(stopAt);
            if (!step.stop.continues) continue;
          }
          expect(nodesOf(doc.parse(null).tree), JSON.stringify(doc.text())).toBe(nodesOf(markdown.parse(doc.text())));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("has the same nodes after any edits, whatever the length after which a block ends", () => {
    assert(
      property(text, array(record({ edit, stop }), { maxLength: 8 }), short, constantFrom(1, 20), (first, steps, size, minGap) => {
        const doc = createDoc(new GroupedParser(markdown, size), first);
        doc.parse(null);
        for (const step of steps) {
          doc.change(step.edit, minGap);
          if (step.stop !== null) {
            const stopAt = step.stop.at % (doc.text().length + 1);
            const { tree } = doc.parse(stopAt);
            if (tree.length < doc.text().length) expect(tree.length).toBeGreaterThan(stopAt);
            if (!step.stop.continues) continue;
          }
          const afresh = new GroupedParser(markdown, size).parse(doc.text());
          expect(nodesOf(doc.parse(null).tree), JSON.stringify(doc.text())).toBe(nodesOf(afresh));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a fenced block has no length after which it ends", () => {
    const inside = constantFrom("", " ", "code", "- a", "> b", "~~", "    ~~~", "~~~ x", "```", "<!--", "\r", "  more");
    const fence = record({
      open: constantFrom("~~~", "  ~~~ js", "~~~~"),
      code: array(inside, { maxLength: 40 }),
      close: constantFrom("~~~~", "~~~~~ ", "   ~~~~\t\r", ""),
      behind: constantFrom("", "\nword\n", "# word", "\n\n"),
    });
    const written = fence.map(({ open, code, close, behind }) => ["word", "", open, ...code, close, behind].join("\n"));
    assert(
      property(written, constantFrom(20, 40), (source, length) => {
        const tree = new GroupedParser(markdown, { group: 20, stride: 4, block: length }).parse(source);
        expect(nodesOf(tree), JSON.stringify(source)).toBe(nodesOf(markdown.parse(source)));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["items", "- a\n"],
    ["numbered items", "1. a\n"],
    ["items with items", "- a\n  - b\n"],
    ["items of paragraphs", "- a\n\n  b\n\n"],
    ["quotes", "> a\n"],
    ["indented code", "    a\n"],
  ])("of a long block every part looks as it would in a short one: %s", (_, unit) => {
    const size = { group: 200, stride: 40, block: 1_000 };
    /** Leaves out nodes that contain others. */
    const parts = (tree: Tree) => nodesOf(tree).replace(/^(?:BulletList|OrderedList|Blockquote|CodeBlock|Paragraph|CodeText).*\n?/gm, "");
    const source = unit.repeat(2_000);
    expect(parts(new GroupedParser(markdown, size).parse(source))).toBe(parts(markdown.parse(source)));
  });

  test.each([
    ["a fence", "~~~\n", "a\n"],
    ["a comment", "<!--\n", "a\n"],
    ["indented code", "", "    a\n"],
    ["a quote", "", ">\n"],
    ["a fence in a quote", "> ~~~\n", ">\n"],
    ["a list", "", "- a\n"],
    ["an item without an end", "- a\n", "\n"],
    ["a fence in an item", "- ~~~\n", "  a\n"],
    ["empty lines", "", "\n"],
  ])("no step reads more lines than the limit of a block has: %s", (_, begin, unit) => {
    const source = begin + unit.repeat(300_000 / unit.length);
    let lineReads = 0;
    const input = {
      length: source.length,
      lineChunks: true,
      chunk(from: number) {
        lineReads += 1;
        return /\n|[^\n]*/y.exec(source.slice(from, from + 10))?.[0] ?? "";
      },
      read: (from: number, to: number) => source.slice(from, to),
    };
    const parsing = new GroupedParser(markdown).startParse(input, []);
    let most = 0;
    for (let tree: Tree | null = null; tree === null; ) {
      lineReads = 0;
      tree = parsing.advance();
      most = Math.max(most, lineReads);
    }
    expect(most).toBeLessThan((2 * 16_384 + 100) / unit.length);
  });

  test("has them in an editor too, whose edits change several places at once and which parses no further than what is in sight", () => {
    const changes = array(array(edit, { minLength: 1, maxLength: 4 }), { maxLength: 4 });
    assert(
      property(linesUpTo(200), changes, sizes, nat(), (first, all, size, seen) => {
        const language = new Language(defineLanguageFacet(), new GroupedParser(markdown, size), [], "markdown");
        let state = EditorState.create({ doc: Text.of(first.split("\n")), extensions: [language] });
        ensureSyntaxTree(state, seen % (first.length + 1), 1e9);
        for (const edits of all) {
          let end = 0;
          const specs = edits
            .map(({ at, length, insert }) => ({ from: at % (state.doc.length + 1), length, insert: Text.of(insert.split("\n")) }))
            .toSorted((a, b) => a.from - b.from)
            .map(({ from, length, insert }) => {
              const start = Math.max(from, end);
              end = Math.min(state.doc.length, start + length);
              return { from: start, to: end, insert };
            });
          state = state.update({ changes: specs }).state;
        }
        const tree = ensureSyntaxTree(state, state.doc.length, 1e9);
        expect(tree && nodesOf(tree)).toBe(nodesOf(markdown.parse(state.doc.toString())));
      }),
      { numRuns: 200 },
    );
  });

  test("knows that a line which begins a table no more belongs to the words before it", () => {
    const doc = createDoc(new GroupedParser(markdown), "words\na | b\n--- | ---\n");
    doc.parse(null);
    doc.change({ at: 13, length: 0, insert: ">" }, 1);
    expect(nodesOf(doc.parse(null).tree)).toBe(nodesOf(markdown.parse(doc.text())));
  });

  test("knows that a line whose beginning was deleted may be another block now, also within a long one", () => {
    const doc = createDoc(new GroupedParser(markdown, { group: 1, stride: 1, block }), "    - deep\n  w\n\nords\n");
    doc.parse(null);
    doc.change({ at: 0, length: 1, insert: "" }, 1);
    expect(nodesOf(doc.parse(null).tree)).toBe(nodesOf(markdown.parse(doc.text())));
  });

  test.each([
    ["the beginning", 0.01],
    ["the middle", 0.5],
    ["the end", 0.99],
  ])("takes over all groups but those around a letter at %s of a long text", (_, part) => {
    const doc = createDoc(new GroupedParser(markdown), long(200_000));
    const before = doc.parse(null).tree;
    expect(before.children.length).toBeGreaterThan(20);
    const at = doc.text().indexOf("bold", Math.floor(doc.text().length * part));
    doc.change({ at, length: 0, insert: "a" });
    const { tree, calls } = doc.parse(null);
    expect(sharedGroups(before, tree)).toBeGreaterThanOrEqual(before.children.length - 2);
    expect(calls).toBeLessThan(60);
    expect(nodesOf(tree)).toBe(nodesOf(markdown.parse(doc.text())));
  });

  test("parses all below a fence that is opened anew, and all above it is taken over", () => {
    const doc = createDoc(new GroupedParser(markdown), long(100_000));
    const before = doc.parse(null).tree;
    const at = doc.text().indexOf("## ", 50_000);
    doc.change({ at, length: 0, insert: "~~~\n" });
    const open = doc.parse(null).tree;
    expect(open.resolveInner(90_000, 1).name).toBe("CodeText");
    expect(sharedGroups(before, open)).toBeGreaterThanOrEqual(Math.floor(before.children.length / 2) - 1);
    doc.change({ at, length: 4, insert: "" });
    expect(nodesOf(doc.parse(null).tree)).toBe(nodesOf(before));
  });

  test("reads a little at a time, so that it can be stopped", () => {
    const parsing = new GroupedParser(markdown).startParse(long(100_000));
    let furthest = 0;
    let step = 0;
    while (parsing.advance() === null) {
      step = Math.max(step, parsing.parsedPos - furthest);
      furthest = Math.max(furthest, parsing.parsedPos);
    }
    expect(furthest).toBeGreaterThan(90_000);
    expect(step).toBeLessThan(1_000);
  });

  test("has no more groups than its length asks for, however it was edited", () => {
    const group = 40;
    assert(
      property(linesUpTo(100), array(edit, { maxLength: 60 }), (first, edits) => {
        const doc = createDoc(new GroupedParser(markdown, { group, stride: 8, block }), first);
        let { tree } = doc.parse(null);
        for (const next of edits) {
          doc.change(next, 1);
          ({ tree } = doc.parse(null));
        }
        const groups = tree.children.filter((child) => child instanceof Tree);
        expect(groups.length).toBe(tree.children.length);
        for (const { children, positions } of groups) expect(positions[children.length - 1]).toBeLessThan(2 * group);
        const small = groups.map(({ length }) => length < group / 2);
        expect(small.some((is, nth) => is && small[nth + 1])).toBe(false);
      }),
      { numRuns: 200 },
    );
  });

  test("parses no pieces of a text", () => {
    const parse = () => new GroupedParser(markdown).startParse("some words", [], [{ from: 2, to: 5 }]);
    expect(parse).toThrow("a grouped parse is of a whole text");
  });

  test("parses an empty text", () => {
    expect(nodesOf(new GroupedParser(markdown).parse(""))).toBe("Document 0 0");
  });
});
