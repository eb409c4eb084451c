import { parseSync } from "vite";

export interface Phrase {
  readonly phrase: RegExp;
  readonly instead: string;
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** What a module says: its strings, the text of its elements and, unless left out, its comments. Not the names of modules. */
export function wordsOf(file: string, code: string, { comments = true } = {}): string[] {
  const parsed = parseSync(file, code);
  if (parsed.errors.length > 0) throw new Error(`${file} can't be read: ${parsed.errors[0]?.message}`);
  const texts: string[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) {
      for (const each of value) visit(each);
      return;
    }
    if (!isNode(value)) return;
    const { type } = value;
    if (type === "ImportDeclaration" || type === "ImportExpression" || type === "ExportAllDeclaration") return;
    if ((type === "Literal" || type === "JSXText") && typeof value["value"] === "string") texts.push(value["value"]);
    else if (type === "TemplateElement" && isNode(value["value"]) && typeof value["value"]["cooked"] === "string")
      texts.push(value["value"]["cooked"]);
    else for (const each of Object.values(value)) visit(each);
  };
  visit(parsed.program);
  // One word in code is a name, and not said.
  const said = texts.filter((text) => /\S\s+\S/.test(text) || /^\s|\s$|[.:…]$/.test(text));
  if (comments) for (const { value } of parsed.comments) said.push(value.replaceAll(/\n\s*\*/g, "\n").replaceAll(/`[^`]*`/g, "``"));
  return said;
}

/** A page's sentences, without its code and without what it quotes. */
export function proseOf(markdown: string): string[] {
  return markdown
    .replaceAll(/^```[^]*?^```/gm, "")
    .split("\n")
    .filter((line) => !line.startsWith("    "))
    .map((line) => line.replaceAll(/`[^`]*`|“[^”]*”|"[^"]*"/g, "“”"));
}

export function phrasesIn(texts: readonly string[], phrases: readonly Phrase[]) {
  return texts.flatMap((text) =>
    phrases.flatMap(({ phrase, instead }) => {
      const words = phrase.exec(text)?.[0];
      return words === undefined ? [] : [{ words, instead, text: text.trim().slice(0, 100) }];
    }),
  );
}
