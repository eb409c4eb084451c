import type { Script, Statement } from "../script.ts";

type Command = Statement["pipelines"][number]["commands"][number];
export type Simple = Extract<Command, { readonly type: "SimpleCommand" }>;
export type Word = NonNullable<Simple["name"]>;
type WordPart = Word["parts"][number];

export interface Value {
  /** Without the marks that quote it. */
  readonly text: string;
  /** Nothing in it is computed when it runs. */
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
      return part.pattern;
  }
}

const isExact = (part: WordPart): boolean =>
  part.type === "DoubleQuoted"
    ? part.parts.every(isExact)
    : // The program of that name: a pattern that never closes.
      (part.type === "Glob" && part.pattern === "[") || part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped";

export interface Inner {
  /** Scripts that the parser has read. */
  readonly scripts: readonly Script[];
  /** Scripts that are only read when they run, such as one in arithmetic. */
  readonly texts: readonly string[];
}

/** The scripts within words: substitutions, wherever they are. Not those within these. */
export function scriptsIn(node: unknown): Inner {
  const scripts: Script[] = [];
  const texts: string[] = [];
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
    Object.values(value).forEach(visit);
  }
  visit(node);
  return { scripts, texts };
}
