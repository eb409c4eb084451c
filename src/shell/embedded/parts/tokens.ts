import { patternAsWritten } from "../readable-source.ts";
import type { Script, Statement } from "../script-nodes.ts";

export type Command = Statement["pipelines"][number]["commands"][number];
export type Simple = Extract<Command, { readonly type: "SimpleCommand" }>;
export type Redirection = Simple["redirections"][number];
export type Word = NonNullable<Simple["name"]>;
type WordPart = Word["parts"][number];

export interface Value {
  /** Without quotes. */
  readonly text: string;
  /** Nothing in it is computed at run time. */
  readonly isExact: boolean;
}

export function valueOf(word: Word): Value {
  return { text: word.parts.map(written).join(""), isExact: word.parts.every(isExact) };
}

function written(part: WordPart): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "Escaped":
      return part.value;
    case "DoubleQuoted":
      return part.parts.map(written).join("");
    case "ParameterExpansion":
      return part.operation === null ? `$${part.parameter}` : `\${${part.parameter}…}`;
    case "CommandSubstitution":
      return "$(…)";
    case "ArithmeticExpansion":
      return "$((…))";
    case "ProcessSubstitution":
      return part.direction === "input" ? "<(…)" : ">(…)";
    case "BraceExpansion": {
      const items = part.items.map((item) => (item.type === "Word" ? valueOf(item.word).text : `${item.start}..${item.end}`));
      return `{${items.join(",")}}`;
    }
    case "TildeExpansion":
      return `~${part.user ?? ""}`;
    case "Glob":
      return patternAsWritten(part.pattern);
  }
}

const isExact = (part: WordPart): boolean =>
  part.type === "DoubleQuoted"
    ? part.parts.every(isExact)
    : // The program of that name, which the parser takes for a pattern that never closes.
      (part.type === "Glob" && part.pattern === "[") || part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped";

export interface Inner {
  /** Scripts that are already parsed. */
  readonly scripts: readonly Script[];
  /** Those of `>(…)`, which read what is written there. */
  readonly readers: ReadonlySet<Script>;
  /** Scripts that are only parsed when they run, such as one in arithmetic. */
  readonly texts: readonly string[];
  /** Texts that are parsed when they run and may contain substitutions, such as the index in `a[$(…)]=1`. */
  readonly holders: readonly string[];
}

export const substitutes = /\$\(|`/;
/** Nodes whose strings stay as they are, or are handled separately. */
const plainNodes: ReadonlySet<unknown> = new Set(["Literal", "SingleQuoted", "Escaped", "Script", "Statement", "Pipeline", "HereDoc"]);
/** Fields with source text, which other fields hold in parsed form. */
const sources: ReadonlySet<string> = new Set(["type", "operator", "originalText", "sourceText"]);

/** The scripts within words: all substitutions, but not those nested in them. */
export function scriptsIn(node: unknown): Inner {
  const scripts: Script[] = [];
  const readers = new Set<Script>();
  const texts: string[] = [];
  const holders: string[] = [];
  function visit(value: unknown): void {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const type: unknown = Reflect.get(value, "type");
    if (type === "CommandSubstitution" || type === "ProcessSubstitution") {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
      const script = Reflect.get(value, "body") as Script;
      scripts.push(script);
      if (Reflect.get(value, "direction") === "output") readers.add(script);
      return;
    }
    if (type === "ArithCommandSubst") return void texts.push(String(Reflect.get(value, "command")));
    for (const [key, child] of Object.entries(value)) {
      if (typeof child !== "string") visit(child);
      else if (!plainNodes.has(type) && !sources.has(key) && substitutes.test(child)) holders.push(child);
    }
  }
  visit(node);
  return { scripts, readers, texts, holders };
}

/**
 * The shell reads a word as arithmetic or as a name in many places. It parses an index in such a word again and runs the substitutions in it:
 * `[[ a -eq 'x[$(rm y)]' ]]`.
 */
function isHidden(text: string): boolean {
  const at = text.search(/\w\[/);
  return at >= 0 && substitutes.test(text.slice(at));
}

/** What words in a script may hide a command: none, those with an index, or any. */
export type Reading = "none" | "indexes" | "all";

/** The texts of words that run a command when the shell reads them as arithmetic, as a name or as a prompt. */
export function hiddenIn(node: unknown, reading: Reading): string[] {
  if (reading === "none") return [];
  const found = new Set<string>();
  function visit(value: unknown): void {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const type: unknown = Reflect.get(value, "type");
    if (type === "CommandSubstitution" || type === "ProcessSubstitution") return;
    if (type === "Word") {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
      const text = literalOf(value as Word);
      if (reading === "all" ? substitutes.test(text) : isHidden(text)) found.add(text);
    }
    Object.values(value).forEach(visit);
  }
  visit(node);
  return [...found];
}

/** The literal text of a word, with `computed` for each computed part. */
function literalOf(word: Word, computed = ""): string {
  const text = (part: WordPart): string =>
    part.type === "DoubleQuoted"
      ? part.parts.map(text).join("")
      : part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped"
        ? part.value
        : part.type === "Glob"
          ? patternAsWritten(part.pattern)
          : computed;
  return word.parts.map(text).join("");
}

/** Commands that read a word as arithmetic or as a name with an index. */
const reading: ReadonlySet<string> = new Set([
  "let",
  "test",
  "[",
  "printf",
  "unset",
  "declare",
  "typeset",
  "local",
  "readonly",
  "export",
  "read",
  "mapfile",
  "readarray",
  "getopts",
]);

/** The value of `PS4` is parsed again before each command that a shell with `set -x` runs. */
const prompt = /^PS4(?:\+?=|$)/;
/** An index that a variable gives: its value is parsed again. */
const computedIndex = /\w\[[^[\]]*\0/;

/** Whether the command sets `PS4` to what is known only when it runs. */
export function setsPrompt({ name, args, assignments }: Simple): boolean {
  if (assignments.some((each) => each.name === "PS4" && each.value !== null && !valueOf(each.value).isExact)) return true;
  if (name === null || !reading.has(valueOf(name).text)) return false;
  return args.some((each) => literalOf(each) === "PS4" || (prompt.test(literalOf(each)) && !valueOf(each).isExact));
}

/** In which words of the script a command may be hidden. */
export function readingOf(node: unknown): Reading {
  if (typeof node !== "object" || node === null) return "none";
  if (isReadingAll(node)) return "all";
  return Object.values(node).reduce<Reading>((found, child) => more(found, readingOf(child)), isReadingNames(node) ? "indexes" : "none");
}

export function more(one: Reading, other: Reading): Reading {
  return one === "all" || other === "all" ? "all" : one === "indexes" || other === "indexes" ? "indexes" : "none";
}

function isReadingAll(node: object): boolean {
  const type: unknown = Reflect.get(node, "type");
  if (type === "Assignment") return Reflect.get(node, "name") === "PS4";
  if (type === "For") return Reflect.get(node, "variable") === "PS4";
  if (type !== "SimpleCommand") return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
  const { name, args } = node as Simple;
  if (args.some((each) => prompt.test(literalOf(each)))) return true;
  return name !== null && reading.has(valueOf(name).text) && args.some((each) => computedIndex.test(literalOf(each, "\0")));
}

/** Whether the node is a place in which a word is read as arithmetic or as a name. */
function isReadingNames(node: object): boolean {
  const type: unknown = Reflect.get(node, "type");
  if (typeof type === "string" && /^(?:Arith|Conditional|CStyleFor|Substring|Indirection)/.test(type)) return true;
  const parameter: unknown = Reflect.get(node, "parameter");
  if (typeof parameter === "string" && parameter.includes("[")) return true;
  if (type === "Assignment") {
    const list: unknown = Reflect.get(node, "array");
    if (String(Reflect.get(node, "name")).includes("[")) return true;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own words.
    return Array.isArray(list) && (list as Word[]).some((each) => literalOf(each).startsWith("["));
  }
  if (type !== "SimpleCommand") return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
  const { name } = node as Simple;
  return name !== null && reading.has(valueOf(name).text);
}
