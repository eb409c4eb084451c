import { patternAsWritten } from "../readable-source.ts";
import type { Script, Statement } from "../script-nodes.ts";

type Command = Statement["pipelines"][number]["commands"][number];
export type Simple = Extract<Command, { readonly type: "SimpleCommand" }>;
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
  const texts: string[] = [];
  const holders: string[] = [];
  function visit(value: unknown): void {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const type: unknown = Reflect.get(value, "type");
    if (type === "CommandSubstitution" || type === "ProcessSubstitution") {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
      scripts.push(Reflect.get(value, "body") as Script);
      return;
    }
    if (type === "ArithCommandSubst") return void texts.push(String(Reflect.get(value, "command")));
    for (const [key, child] of Object.entries(value)) {
      if (typeof child !== "string") visit(child);
      else if (!plainNodes.has(type) && !sources.has(key) && substitutes.test(child)) holders.push(child);
    }
  }
  visit(node);
  return { scripts, texts, holders };
}

/**
 * The shell reads a word as arithmetic or as a name in many places. It parses an index in such a word again and runs the substitutions in it:
 * `[[ a -eq 'x[$(rm y)]' ]]`.
 */
const hidden = /\w\[[^]*(?:\$\(|`)/;

/** The value of `PS4` is parsed again before each command that a shell with `set -x` runs. */
export function promptsIn({ assignments }: Simple): string[] {
  return assignments.flatMap(({ name, value }) => {
    const text = name === "PS4" && value !== null ? literalOf(value) : "";
    return substitutes.test(text) ? [text] : [];
  });
}

/** The texts of words that run a command when the shell reads them as arithmetic or as a name. */
export function hiddenIn(node: unknown): string[] {
  const found = new Set<string>();
  function visit(value: unknown): void {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const type: unknown = Reflect.get(value, "type");
    if (type === "CommandSubstitution" || type === "ProcessSubstitution") return;
    if (type === "Word") {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
      const text = literalOf(value as Word);
      if (hidden.test(text)) found.add(text);
    }
    Object.values(value).forEach(visit);
  }
  visit(node);
  return [...found];
}

/** The literal text of a word, without its computed parts. */
function literalOf(word: Word): string {
  const text = (part: WordPart): string =>
    part.type === "DoubleQuoted"
      ? part.parts.map(text).join("")
      : part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped"
        ? part.value
        : part.type === "Glob"
          ? patternAsWritten(part.pattern)
          : "";
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

/** Whether the script has a place in which a word is read as arithmetic or as a name. */
export function isReadingNames(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(isReadingNames);
  if (typeof node !== "object" || node === null) return false;
  const type: unknown = Reflect.get(node, "type");
  if (typeof type === "string" && /^(?:Arith|Conditional|CStyleFor|Substring|Indirection)/.test(type)) return true;
  const parameter: unknown = Reflect.get(node, "parameter");
  if (typeof parameter === "string" && parameter.includes("[")) return true;
  const set: unknown = type === "Assignment" ? Reflect.get(node, "name") : "";
  if (typeof set === "string" && set.includes("[")) return true;
  if (type === "SimpleCommand") {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
    const { name } = node as Simple;
    if (name !== null && reading.has(valueOf(name).text)) return true;
  }
  return Object.values(node).some(isReadingNames);
}
