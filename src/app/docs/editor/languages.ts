/** The colors of code in the editor: one parser per language, loaded with the first file of that language. */
import { LRLanguage, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tagHighlighter, tags } from "@lezer/highlight";

/** The same few kinds of tokens as in messages, by their names in the style sheet. */
export const names = tagHighlighter([
  { tag: [tags.comment, tags.meta], class: "code-comment" },
  { tag: [tags.keyword, tags.operatorKeyword, tags.typeName, tags.tagName, tags.self], class: "code-keyword" },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], class: "code-string" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.literal, tags.attributeName], class: "code-literal" },
  { tag: [tags.definition(tags.propertyName), tags.standard(tags.name)], class: "code-literal" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className), tags.heading], class: "code-title" },
  { tag: tags.propertyName, class: "code-property" },
]);
const colours = syntaxHighlighting(names);

const javascript = async (dialect: string) => (await import("@lezer/javascript")).parser.configure({ dialect });
const css = async () => (await import("@lezer/css")).parser;

async function html() {
  const [{ parser, configureNesting }, script, style] = await Promise.all([import("@lezer/html"), javascript("jsx"), css()]);
  const nested = configureNesting([
    { tag: "script", parser: script },
    { tag: "style", parser: style },
  ]);
  return parser.configure({ wrap: nested });
}

const trees = {
  javascript: () => javascript("jsx"),
  typescript: () => javascript("ts jsx"),
  css,
  html,
  json: async () => (await import("@lezer/json")).parser,
  python: async () => (await import("@lezer/python")).parser,
  yaml: async () => (await import("@lezer/yaml")).parser,
} as const;

const streams = {
  shell: async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
  sql: async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL,
} as const;

export type LanguageName = keyof typeof trees | keyof typeof streams;

const byEnding: ReadonlyMap<string, LanguageName> = new Map([
  ...["js", "mjs", "cjs", "jsx"].map((ending) => [ending, "javascript"] as const),
  ...["ts", "mts", "cts", "tsx"].map((ending) => [ending, "typescript"] as const),
  ...["html", "htm", "svg", "xml"].map((ending) => [ending, "html"] as const),
  ...["json", "webmanifest", "map"].map((ending) => [ending, "json"] as const),
  ...["yaml", "yml"].map((ending) => [ending, "yaml"] as const),
  ...["sh", "bash", "zsh"].map((ending) => [ending, "shell"] as const),
  ["css", "css"],
  ["py", "python"],
  ["sql", "sql"],
]);

/** The language of a file by its name; null if it has no colors. */
export const languageOf = (path: string): LanguageName | null => byEnding.get(/\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "") ?? null;

export async function loadLanguage(name: LanguageName): Promise<Extension> {
  if (name === "shell" || name === "sql") return [StreamLanguage.define(await streams[name]()), colours];
  return [LRLanguage.define({ name, parser: await trees[name]() }), colours];
}
