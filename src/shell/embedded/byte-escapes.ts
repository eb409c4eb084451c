import { Bash } from "just-bash/browser";
import { joinBytes } from "../../fs/bytes.ts";
import { fromBytes, toBytes } from "./encoding.ts";
import { isNode, literal, type Statement } from "./script-nodes.ts";
import { toText } from "./stray-bytes.ts";

/** `$'…'` with an escape of a byte above 127. */
const quotation = /\$'((?:[^'\\]|\\[^])*?\\(?:x[89a-fA-F][0-9a-fA-F]|[23][0-7]{2})(?:[^'\\]|\\[^])*)'/g;

/** The pieces of such a quotation: bytes in hexadecimal, bytes in octal, and others. */
const piece = /((?:\\x[0-9a-fA-F]{1,2})+)|((?:\\[0-7]{1,3})+)|((?:\\[^x0-7]|[^\\])+)/g;

const letters: Readonly<Record<string, string | undefined>> = {
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  E: "\u001b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/**
 * Corrects the values of quotations such as `$'\303\244'` and `$'\xff'` in a statement: just-bash takes octal bytes for characters, and also
 * hexadecimal bytes that are not UTF-8. Changes the statement in place.
 */
export function readByteEscapes(node: Statement): void {
  const { sourceText = "" } = node;
  if (!sourceText.includes("$'")) return;
  const values = new Map<string, string>();
  for (const [, text = ""] of sourceText.matchAll(quotation)) {
    const read = valuesOf(text);
    if (read !== null && read.wrong !== read.right) values.set(read.wrong, read.right);
  }
  if (values.size > 0) correct(node, marked(node), values);
}

/**
 * The statement with a mark at the beginning of the value of each quotation: a plain word may have the same value as one. Null: it can't be parsed by
 * itself.
 */
function marked(node: Statement): { readonly mark: string; readonly node: unknown } | null {
  const { sourceText = "" } = node;
  let mark = "\uE000";
  while (sourceText.includes(mark)) mark += "\uE000";
  const text = sourceText.replaceAll("$'", () => `$'${mark}`);
  // The source text of a statement may lack the lines of its here-documents.
  const ends = delimitersIn(node).map((each) => `\n${each}`);
  const twin = parsed(text) ?? parsed(`${text}${ends.join("")}\n`);
  return twin && { mark, node: twin };
}

function parsed(text: string): Statement | null {
  try {
    const { statements } = new Bash({ defenseInDepth: false }).transform(text).ast;
    return statements.length === 1 ? (statements[0] ?? null) : null;
  } catch (error) {
    if (error instanceof Error && (["ParseException", "LexerError"].includes(error.name) || error.message.includes("here-document")))
      return null;
    throw error;
  }
}

function delimitersIn(node: unknown): string[] {
  if (!isNode(node)) return [];
  return node["type"] === "HereDoc" ? [String(node["delimiter"])] : Object.values(node).flatMap(delimitersIn);
}

/** What just-bash reads, and what bash does. Null: the text has other escapes, too. */
function valuesOf(text: string): { readonly wrong: string; readonly right: string } | null {
  let wrong = "";
  const right: Uint8Array[] = [];
  for (const [all, hexadecimal, octal] of text.matchAll(piece)) {
    if (hexadecimal !== undefined || octal !== undefined) {
      const base = hexadecimal === undefined ? 8 : 16;
      const numbers = all.split(/\\x?/).slice(1);
      const bytes = Uint8Array.from(numbers, (each) => Number.parseInt(each, base) & 0xff);
      wrong += base === 8 ? fromBytes(bytes, "latin1") : withCharacters(toText(bytes));
      right.push(bytes);
    } else {
      if (/\\[uUc]/.test(all)) return null;
      const plain = all.replaceAll(/\\([^])/g, (escape, letter: string) => letters[letter] ?? escape);
      wrong += plain;
      right.push(toBytes(plain, undefined));
    }
  }
  return { wrong, right: toText(joinBytes(right)) };
}

/** The text with a character for each stray byte. */
function withCharacters(text: string): string {
  return text.replaceAll(/(?<![\ud800-\udbff])[\udc80-\udcff]/g, (stray) => String.fromCharCode(stray.charCodeAt(0) & 0xff));
}

/** just-bash's parser makes a literal part of each such quotation. In double quotes there are none. */
function correct(node: unknown, twin: ReturnType<typeof marked>, values: ReadonlyMap<string, string>, inQuotes = false): void {
  if (!isNode(node) || (!Array.isArray(node) && isForRead(node))) return;
  const value = node["type"] === "Literal" && !inQuotes ? String(node["value"]) : "";
  const right = values.get(value);
  const isQuotation = twin !== null && isNode(twin.node) && twin.node["value"] === `${twin.mark}${value}`;
  if (right !== undefined && isQuotation) node["value"] = right;
  for (const [key, child] of Object.entries(node)) {
    const other = twin && { ...twin, node: isNode(twin.node) ? twin.node[key] : null };
    correct(child, other, values, node["type"] === "DoubleQuoted");
  }
}

/** `read` and `mapfile` compare IFS and their separators with input that has one character per byte, which is what just-bash's values are. */
function isForRead(node: Readonly<Record<string, unknown>>): boolean {
  if (node["type"] === "Assignment") return node["name"] === "IFS";
  return node["type"] === "SimpleCommand" && /^(?:read|mapfile|readarray)$/.test(literal(node["name"]) ?? "");
}
