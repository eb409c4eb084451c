import { type Command, literal, type Part, type Simple, single, type Statement, word, type Word } from "./script-nodes.ts";

const declaring = new Set(["declare", "typeset", "local", "readonly"]);
const arrayStart = /^([A-Za-z_][A-Za-z0-9_]*)(\+?)=\(/;

interface Literal {
  readonly name: string;
  readonly append: boolean;
  readonly words: Word[];
}

/**
 * just-bash splits the values in `declare -A map=([key]="two words")` at their blanks, and treats those of `local` as a list. So the map is declared
 * first, which makes it local in a function, and then assigned. The same applies to a list with keys (`declare -a list=([0]="two words")`). Null: the
 * command declares neither.
 */
export function declaringMaps(command: Simple): Command | null {
  const name = literal(command.name) ?? "";
  const flags = command.args.map((arg) => literal(arg) ?? "").filter((arg) => /^-[A-Za-z]+$/.test(arg));
  const isMap = flags.some((flag) => flag.includes("A"));
  if (!declaring.has(name) || !flags.some((flag) => /[Aa]/.test(flag))) return null;
  const literals = command.args.map(arrayOf);
  const given = literals.flatMap((one) => one ?? []);
  if (!given.some(({ words }) => isMap || words.length > 0)) return null;
  const isReadonly = name === "readonly" || flags.some((flag) => flag.includes("r"));
  const args = command.args.flatMap((arg, at): Word[] => {
    const array = literals[at];
    if (array) return [word(array.name)];
    const flag = flags.includes(literal(arg) ?? "") ? (literal(arg) ?? "").replaceAll("r", "") : null;
    return flag === null ? [arg] : flag === "-" ? [] : [word(flag)];
  });
  const declared: Simple = { ...command, name: word("declare"), args };
  const body = [single(declared), ...given.map(assigning)];
  if (isReadonly) body.push(single({ ...declared, name: word("readonly"), args: given.map((array) => word(array.name)), assignments: [] }));
  return { type: "Group", body, redirections: [] };
}

function assigning({ name, append, words }: Literal): Statement {
  const command: Simple = {
    type: "SimpleCommand",
    name: null,
    args: [],
    assignments: [{ type: "Assignment", name, value: null, append, array: words }],
    redirections: [],
  };
  return single(command);
}

/** Whether this is `[key]=…` and nothing in the key is computed. */
function hasPlainKey(parts: readonly Part[]): boolean {
  const texts = parts.map(plainText);
  const end = texts.findIndex((_, at) =>
    texts
      .slice(0, at + 1)
      .join("")
      .includes("]="),
  );
  return end >= 0 && texts[0]?.startsWith("[") === true && !texts.slice(0, end + 1).includes(null);
}

function plainText(part: Part): string | null {
  if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "Escaped") return part.value;
  if (part.type === "Glob") return /[$`]/.test(part.pattern) ? null : part.pattern;
  const inner = part.type === "DoubleQuoted" ? part.parts.map(plainText) : [null];
  return inner.includes(null) ? null : inner.join("");
}

/** Splits `name=(…)`, which the parser leaves as one word of a command, into its words; null: it is not such a word. */
function arrayOf({ parts }: Word): Literal | null {
  const [first] = parts;
  const last = parts.at(-1);
  const [start = "", name = "", plus = ""] = (first?.type === "Literal" && arrayStart.exec(first.value)) || [];
  if (name === "" || first?.type !== "Literal" || last?.type !== "Literal" || !last.value.endsWith(")")) return null;
  const words: Part[][] = [[]];
  for (const part of parts) {
    if (part.type !== "Literal") {
      words.at(-1)?.push(part);
      continue;
    }
    const text = part.value.slice(part === first ? start.length : 0, part === last ? -1 : undefined);
    for (const [at, piece] of text.split(/[ \t\n]+/).entries()) {
      if (at > 0) words.push([]);
      if (piece !== "") words.at(-1)?.push({ type: "Literal", value: piece });
    }
  }
  const given = words.filter((own) => own.length > 0);
  // When a list is assigned, just-bash reads no other keys; in a declaration it also reads computed keys.
  return given.every(hasPlainKey) ? { name, append: plus === "+", words: given.map((own) => ({ type: "Word", parts: own })) } : null;
}
