import { ensureSyntaxTree, highlightingFor, language } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { highlightTree } from "@lezer/highlight";
import { expect, test } from "vitest";
import { languageOf, loadLanguage } from "../../../../src/app/docs/editor/languages.ts";

test.each([
  ["src/game.js", "javascript"],
  ["a.b.tsx", "typescript"],
  ["INDEX.HTML", "html"],
  ["deep.folder/Makefile", null],
  ["a.toString", null],
  ["notes.txt", null],
])("%s is %s", (path, expected) => {
  expect(languageOf(path)).toBe(expected);
});

/** The highlighted pieces of a text: `keyword:const string:"a"`. */
async function coloured(path: string, text: string): Promise<string> {
  const name = languageOf(path);
  if (name === null) throw new Error(`${path} has no language`);
  const state = EditorState.create({ doc: text, extensions: await loadLanguage(name) });
  const tree = ensureSyntaxTree(state, text.length, 1e9);
  if (tree === null || state.facet(language) === null) throw new Error("the text was not parsed");
  const pieces: string[] = [];
  const highlighter = { style: (tags: Parameters<typeof highlightingFor>[1]) => highlightingFor(state, tags) };
  highlightTree(tree, highlighter, (from, to, kinds) => pieces.push(`${kinds.replace("code-", "")}:${text.slice(from, to)}`));
  return pieces.join(" ");
}

test.each([
  ["a.js", "const a = 1; // one", "keyword:const literal:1 comment:// one"],
  ["a.ts", "type A = string | null;", "keyword:type keyword:A keyword:string literal:null"],
  ["a.css", "a { color: #fff }", "keyword:a property:color literal:#fff"],
  ["a.html", "<b class='x'><script>let a</script>", "keyword:b literal:class string:'x' keyword:script keyword:let keyword:script"],
  ["a.json", '{"a": [true, 1, "b"]}', 'property:"a" literal:true literal:1 string:"b"'],
  ["a.py", "def f(): return None # x", "keyword:def title:f keyword:return literal:None comment:# x"],
  ["a.yml", "a: 'b' # c", "literal:a string:'b' comment:# c"],
  ["a.sh", "if true; then echo 'a'; fi # b", "keyword:if"],
  ["a.sql", "SELECT 1 -- a", "keyword:SELECT literal:1 comment:-- a"],
])("%s: %s", async (path, text, expected) => {
  expect(await coloured(path, text)).toContain(expected);
});
