import { Bash } from "just-bash/browser";

/** The beginnings of here-documents in a line, with the delimiter without quotes, or the one with them. */
const starts = /(?<!<)<<-?[ \t]*(?:([^\s<>|;&()'"\\$`]+)(?![^\s<>|;&()])|\\?(['"]?)([^\s<>|;&()'"\\$`]+)\2)/g;

/** The maximum number of here-documents that are edited one by one. */
const mostChecks = 20;

/**
 * Adds a backslash before each `$'` and `$"` in the text of a here-document: just-bash takes them for quotations there. `$(…)` and `${…}` in it stay
 * as they are.
 */
export function withPlainDocuments(script: string): string {
  if (!script.includes("<<") || !/\$['"]/.test(script)) return script;
  const edits = bodiesIn(script).flatMap(([from, to]) => {
    const found = quotesIn(script, from, to);
    return found.length === 0 ? [] : [found];
  });
  const read = edits.length === 0 ? null : withoutDocuments(script);
  if (read === null) return script;
  // Text that only looks like a document doesn't change.
  const isOnlyDocuments = (some: readonly (readonly number[])[]): boolean =>
    withoutDocuments(withBackslashes(script, some.flat())) === read;
  const right = isOnlyDocuments(edits) ? edits : edits.slice(0, mostChecks).filter((each) => isOnlyDocuments([each]));
  return withBackslashes(script, right.flat());
}

function withBackslashes(script: string, positions: readonly number[]): string {
  let edited = "";
  let from = 0;
  for (const at of positions) {
    edited += `${script.slice(from, at)}\\`;
    from = at;
  }
  return edited + script.slice(from);
}

/** Where the texts begin and end in which the shell expands something. */
function bodiesIn(script: string): (readonly [from: number, to: number])[] {
  const found: (readonly [number, number])[] = [];
  const waiting: { readonly delimiter: string; readonly isPlain: boolean }[] = [];
  const lines = script.split("\n");
  const last = new Map(lines.map((line, index) => [line.replace(/^\t+/, ""), index]));
  let from = 0;
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const end = at + line.length + 1;
    const [next] = waiting;
    if (next === undefined) {
      for (const [, plain, , quoted = ""] of line.matchAll(starts)) {
        const delimiter = plain ?? quoted;
        if ((last.get(delimiter) ?? 0) > index) waiting.push({ delimiter, isPlain: plain !== undefined });
      }
      from = end;
    } else if (line.replace(/^\t+/, "") === next.delimiter) {
      if (next.isPlain) found.push([from, at]);
      waiting.shift();
      from = end;
    }
    at = end;
  }
  return found;
}

function quotesIn(script: string, from: number, to: number): number[] {
  const found: number[] = [];
  /** The characters that close what is open. */
  const open: string[] = [];
  for (let at = from; at < to; at++) {
    const character = script.charAt(at);
    const next = script.charAt(at + 1);
    if (character === "\\") at++;
    else if (character === open.at(-1)) open.pop();
    else if (character === "`") open.push("`");
    else if (character === "$" && (next === "(" || next === "{")) {
      open.push(next === "(" ? ")" : "}");
      at++;
    } else if (character === "(" && open.at(-1) === ")") open.push(")");
    else if (character === "$" && (next === "'" || next === '"') && open.length === 0) found.push(at);
  }
  return found;
}

/** The parsed script without the texts of its here-documents, except the quoted ones. Null: it can't be parsed. */
function withoutDocuments(script: string): string | null {
  try {
    const { ast } = new Bash({ defenseInDepth: false }).transform(script);
    const skipped = new Set(["sourceText", "originalText"]);
    return JSON.stringify(ast, (key, value: unknown) => (skipped.has(key) || isExpanded(value) ? undefined : value));
  } catch (error) {
    if (error instanceof Error && ["ParseException", "LexerError"].includes(error.name)) return null;
    throw error;
  }
}

function isExpanded(value: unknown): boolean {
  return typeof value === "object" && value !== null && Reflect.get(value, "type") === "HereDoc" && Reflect.get(value, "quoted") === false;
}
