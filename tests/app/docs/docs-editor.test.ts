import { ensureSyntaxTree, Language, defineLanguageFacet, LanguageSupport } from "@codemirror/language";
import { ChangeSet, EditorState, Text } from "@codemirror/state";
import { GFM, parser } from "@lezer/markdown";
import { array, assert, constantFrom, nat, property, string, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { countWords } from "../../../src/app/docs/editor/count.ts";
import { bareNames, linkAt, linkTargetOf, surroundings } from "../../../src/app/docs/editor/links.ts";
import { continuation, indent, continueList, toggleTask, wrapIn } from "../../../src/app/docs/editor/lists.ts";
import { mergeFile } from "../../../src/app/docs/merge.ts";
import { outlineOf } from "../../../src/app/docs/editor/outline.ts";
import { comeBack, leave } from "../../../src/app/docs/editor/states.ts";
import { applied, changesBetween, lineBreakOf } from "../../../src/app/docs/editor/text.ts";
import { history, undo } from "@codemirror/commands";
import { mergeTexts } from "../../../src/fs/text/merge-texts.ts";

const markdown = new LanguageSupport(new Language(defineLanguageFacet(), parser.configure(GFM), [], "markdown"));

/** An editor state from a text in which `|` is the cursor and `[[…]]` the selection. */
function stateOf(notation: string): EditorState {
  const open = notation.indexOf("[[");
  const text = notation.replace("[[", "").replace("]]", "").replace("|", "");
  const selection =
    open < 0 ? { anchor: Math.max(0, notation.indexOf("|")) } : { anchor: open, head: notation.replace("[[", "").indexOf("]]") };
  const state = EditorState.create({ doc: text, selection, extensions: [markdown, history()] });
  ensureSyntaxTree(state, text.length, 1e9);
  return state;
}
function notationOf(state: EditorState): string {
  const { main } = state.selection;
  const text = state.sliceDoc();
  return main.empty
    ? `${text.slice(0, main.head)}|${text.slice(main.head)}`
    : `${text.slice(0, main.from)}[[${text.slice(main.from, main.to)}]]${text.slice(main.to)}`;
}
function run(command: typeof continueList, notation: string): string | null {
  let state = stateOf(notation);
  const done = command({ state, dispatch: (transaction) => (state = transaction.state) });
  return done ? notationOf(state) : null;
}

describe("a text that comes from outside", () => {
  const apply = (before: string, changes: ReturnType<typeof changesBetween>) =>
    EditorState.create({ doc: Text.of(before.split("\n")) })
      .update({ changes: changes.map((change) => ({ ...change, insert: Text.of(change.insert.split("\n")) })) })
      .state.doc.toString();
  const lines = array(constantFrom("a", "b", "c", "", "# h", "longer line"), { maxLength: 12 }).map((list) => list.join("\n"));

  test("reads as it should afterwards, whatever the two were", () => {
    assert(property(lines, lines, (before, after) => apply(before, changesBetween(before, after)) === after));
  });

  test("leaves the lines alone that are the same, so that a cursor in them stays", () => {
    const changes = changesBetween("one\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nFIVE\n");
    expect(changes).toEqual([
      { from: 0, to: 4, insert: "ONE\n" },
      { from: 19, to: 24, insert: "FIVE\n" },
    ]);
  });

  test("merged: the cursor stays behind its word", () => {
    const [base, mine, theirs] = ["a\nb\nc\nd\n", "a\nb mine\nc\nd\n", "a\nb\nc\nd\ne\n"];
    const merged = mergeTexts(base, mine, theirs) ?? "";
    const state = EditorState.create({ doc: mine, selection: { anchor: 8 } });
    const after = state.update({ changes: changesBetween(mine, merged) }).state;
    expect(notationOf(after)).toBe("a\nb mine|\nc\nd\ne\n");
  });

  test.each([
    ["a\nb", "\n"],
    ["a\r\nb\r\n", "\r\n"],
    ["a\r\nb\n", "\n"],
    ["a\rb", "\n"],
    ["a\r\nb\rc\r\n", "\n"],
    ["", "\n"],
  ])("the lines of %j end in %j", (text, end) => expect(lineBreakOf(text)).toBe(end));
});

describe("main, changed on both sides", () => {
  const main = { kind: "doc", name: "doc-main.md" } as const;
  const law = "> Authorized: run_command\n";
  const text = "# Main\n\none\ntwo\nthree\n\nfour\nfive\nsix\n";
  const base = text.replace("\nfour", `${law}\nfour`);

  test.each([`${law}${text}`, `${text}\n${law}`])(
    "a line that a person took away doesn't come back because an agent moved it: %j",
    (moved) => {
      expect(mergeTexts(base, text, moved)).toContain(law);
      expect([mergeFile(main, base, text, moved), mergeFile(main, base, moved, text)]).toEqual([null, null]);
      // In other docs such a line has no meaning.
      expect(mergeFile({ kind: "doc", name: "doc-a.md" }, base, text, moved)).toContain(law);
    },
  );

  test.each<[string, string, string]>([
    [base.replace("one", "ONE"), base.replace("six", "SIX"), base.replace("one", "ONE").replace("six", "SIX")],
    [text, base.replace("six", "SIX"), text.replace("six", "SIX")],
    [`${law}${text}`, base.replace("six", "SIX"), `${law}${text.replace("six", "SIX")}`],
    [`> Limit: agents 2\n${base}`, `${base}> Limit: depth 1\n`, `> Limit: agents 2\n${base}> Limit: depth 1\n`],
  ])("all else is merged", (mine, theirs, merged) => expect(mergeFile(main, base, mine, theirs)).toBe(merged));

  test("law: what one side leaves as it was, the other decides", () => {
    const line = constantFrom("a", "b", "", "> Authorized: x", "> Revoked: x", "\u200b> Limit: agents 1");
    const doc = array(line, { maxLength: 9 });
    const laws = (lines: readonly string[]) => lines.filter((one) => one.includes("> "));
    const moved = tuple(doc, array(constantFrom("a", "b", "c"), { maxLength: 9 }), doc);
    assert(
      property(moved, ([before, others, mine]) => {
        // The same lines of authority in the same order, among other lines.
        const left = laws(before);
        const theirs = others.flatMap((one) => (one === "c" ? [one, ...left.splice(0, 1)] : [one])).concat(left.splice(0));
        const [from, ours, other] = [before, mine, theirs].map((lines) => lines.map((one) => `${one}\n`).join(""));
        for (const merged of [mergeFile(main, from ?? "", ours ?? "", other ?? ""), mergeFile(main, from ?? "", other ?? "", ours ?? "")])
          if (merged !== null) expect(laws(merged.split("\n"))).toEqual(laws(mine));
      }),
      { numRuns: 1_000 },
    );
  });
});

test("law: a text with its changes reads as the editor's own, however many were made at once", () => {
  const piece = string({ unit: constantFrom("a", "b", "\n", "é", "🎲") });
  assert(
    property(
      piece,
      array(array(piece, { maxLength: 3 }), { maxLength: 6 }),
      array(nat(), { minLength: 1, maxLength: 12 }),
      (start, rounds, places) => {
        let doc = Text.of(start.split("\n"));
        let all = ChangeSet.empty(doc.length);
        rounds.forEach((inserts, round) => {
          const changes = ChangeSet.of(
            inserts.map((insert, at) => {
              const from = (places[(round + at) % places.length] ?? 0) % (doc.length + 1);
              return { from, to: Math.min(doc.length, from + (at % 3)), insert: Text.of(insert.split("\n")) };
            }),
            doc.length,
          );
          doc = changes.apply(doc);
          all = all.compose(changes);
        });
        expect(applied(start, all)).toBe(doc.toString());
      },
    ),
  );
});

describe("the outline", () => {
  test("has the headings, without their marks, and none of what is in code", () => {
    const text =
      "# One\n\n##  Two `x` #\n```sh\n# no\n```\n~~~\n# no\n```\n~~~\n### [a *link*](x.md)\n#no\n    # no\n###### six\n####### no\n#\n";
    expect(outlineOf(text.split("\n"))).toEqual([
      { level: 1, title: "One", line: 1 },
      { level: 2, title: "Two x", line: 3 },
      { level: 3, title: "a link", line: 11 },
      { level: 6, title: "six", line: 14 },
      { level: 1, title: "", line: 16 },
    ]);
  });
});

describe("words", () => {
  test.each([
    ["", 0],
    ["  \n\t\n", 0],
    ["one", 1],
    ["one two\nthree", 3],
    ["ein\u00a0Wort\u2003drei", 3],
    ["- a — b", 4],
  ])("%j has %i", (text, count) => expect(countWords(text.split("\n"))).toBe(count));

  test("as many as a regular expression finds", () => {
    assert(property(string({ unit: "binary" }), (text) => countWords([text]) === (text.match(/\S+/g)?.length ?? 0)));
  });
});

describe("lists", () => {
  test.each([
    ["- a", "- "],
    ["  * a", "  * "],
    ["9. a", "10. "],
    ["3) a", "4) "],
    ["- [x] a", "- [ ] "],
    ["> a", "> "],
    ["> > a", "> > "],
    ["- ", ""],
    ["- [ ] ", ""],
    ["> ", ""],
    ["a - b", null],
    ["-a", null],
    ["**bold**", null],
    ["1.5 litres", null],
  ])("what follows %j begins with %j", (line, next) => expect(continuation(line)).toBe(next));

  test.each([
    ["- a|", "- a\n- |"],
    ["- a|b", "- a\n- |b"],
    ["- |", "|"],
    ["|- a", "\n|- a"],
    ["plain|", "plain\n|"],
    ["```\n- a|\n```", "```\n- a\n|\n```"],
    ["1. a|\n2. b", "1. a\n2. |\n2. b"],
  ])("Enter in %j makes %j", (before, after) => expect(run(continueList, before)).toBe(after));

  test.each([
    ["- a\n- b|", "- a\n  - b|"],
    ["- a\n\n  more\n- b|", "- a\n\n  more\n  - b|"],
    ["- a\n  - b|", null],
    ["- a|", null],
    ["plain\n- b|", null],
    ["plain|", null],
  ])("Tab in %j makes %j: elsewhere it leaves the text", (before, after) => expect(run(indent, before)).toBe(after));

  test.each([
    ["- [ ] a|", "- [x] a|"],
    ["> 1. [X] a|", "> 1. [ ] a|"],
    ["- a [ ]|", null],
  ])("a task's key in %j makes %j", (before, after) => expect(run(toggleTask, before)).toBe(after));

  test.each([
    ["a [[b]] c", "a **[[b]]** c"],
    ["a **[[b]]** c", "a [[b]] c"],
    ["a |", "a **|**"],
  ])("Ctrl+B in %j makes %j", (before, after) => expect(run(wrapIn("**"), before)).toBe(after));
});

describe("links", () => {
  test.each([
    ["see [rules](doc-ru|les.md) now", "doc-rules.md"],
    ["see [ru|les](<doc-rules.md>) now", "doc-rules.md"],
    ["see doc-ru|les.md.", "doc-rules.md"],
    ["`doc-rules.md|`", "doc-rules.md"],
    ["<https://a.example|>", "https://a.example"],
    ["www.exa|mple.org", "https://www.example.org"],
    ["dialog-20261121-201100-plan-do|ne.md", "dialog-20261121-201100-plan-done.md"],
    ["no lin|k", null],
    ["a/doc-x|.md", null],
  ])("at the cursor of %j there is %j", (notation, target) => {
    const state = stateOf(notation);
    expect(linkAt(state, state.selection.main.head)?.target ?? null).toBe(target);
  });

  test("bare names end before what belongs to the sentence", () => {
    const text = "doc-a.md, doc-b.c.md. xdoc-c.md doc-d.mdx (doc-e.md) dialog-20261121-201100-x-active.md";
    expect(Array.from(text.matchAll(bareNames()), ([name]) => name)).toEqual([
      "doc-a.md",
      "doc-b.c.md",
      "doc-e.md",
      "dialog-20261121-201100-x-active.md",
    ]);
  });

  test.each([
    ["doc-a.md", "#/docs/doc-a.md", false],
    ["src/a.js", "#/deed/src/a.js", false],
    ["https://a.example/x", "https://a.example/x", true],
    ["javascript:alert(1)", null, false],
    ["data:text/html,x", null, false],
    ["src/none.js", null, false],
  ])("%s leads to %s", (target, href, out) => {
    const around = { hrefOf: (path: string) => (path === "src/a.js" ? "#/deed/src/a.js" : null), hasDoc: () => true };
    const state = EditorState.create({ extensions: surroundings.of(around) });
    const place = linkTargetOf(state, target);
    expect([place?.href ?? null, place?.out ?? false]).toEqual([href, out]);
  });
});

test("what can be undone in a file is there when it is opened again", () => {
  const config = { extensions: [history()] };
  const typed = EditorState.create({ ...config, doc: "a" }).update({ changes: { from: 1, insert: "b" }, userEvent: "input.type" }).state;
  leave("doc:doc-a.md", typed, 120);
  const back = comeBack("doc:doc-a.md", "\n", config);
  if (back === null) throw new Error("not kept");
  let { state } = back;
  expect([state.sliceDoc(), back.scrollTop]).toEqual(["ab", 120]);
  expect(undo({ state, dispatch: (transaction) => (state = transaction.state) })).toBe(true);
  expect(state.sliceDoc()).toBe("a");
  expect(comeBack("doc:doc-b.md", "\n", config)).toBeNull();
  // The undo history counts a line end as one character, so it doesn't fit a file with other line ends.
  expect(comeBack("doc:doc-a.md", "\r\n", config)).toBeNull();
});
