import { valueOf } from "./many-words.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode } from "./script-nodes.ts";

const comparing = /^-(?:eq|ne|lt|le|gt|ge)$/;
/** An integer that may need more than 53 bits, which is what just-bash compares. */
const long = /^\s*[-+]?\d{16,}\s*$/;
const integer = /^\s*[-+]?\d+\s*$/;

/** Two numbers that compare like these; null: the words themselves can be compared. */
function shorter(left: string, right: string): readonly [string, string] | null {
  if ((!long.test(left) && !long.test(right)) || !integer.test(left) || !integer.test(right)) return null;
  const [a, b] = [BigInt(left.trim().replace("+", "")), BigInt(right.trim().replace("+", ""))];
  return [a < b ? "-1" : a > b ? "1" : "0", "0"];
}

/** The operands of `[` and `test`, with long integers replaced by short ones that compare like them. */
export function exactOperands(words: readonly unknown[]): readonly unknown[] {
  if (!words.some((word) => long.test(String(word)))) return words;
  const all = [...words];
  for (let at = 1; at < all.length - 1; at++) {
    if (!comparing.test(String(all[at]))) continue;
    const pair = shorter(String(all[at - 1]), String(all[at + 1]));
    if (pair !== null) [all[at - 1], all[at + 1]] = pair;
  }
  return all;
}

const most = 2n ** 63n;

/** The first operand of a comparison by `[` or `test` that bash's integers can't hold; undefined: there is none. */
export function tooLong(words: readonly unknown[]): string | undefined {
  if (!words.some((word) => long.test(String(word)))) return undefined;
  const given = words.map(String);
  return given.find((word, i) => {
    if (!long.test(word) || !(comparing.test(given[i - 1] ?? "") || comparing.test(given[i + 1] ?? ""))) return false;
    const value = BigInt(word.trim().replace("+", ""));
    return value >= most || value < -most;
  });
}

/** `[[ … ]]` commands that compare integers. */
const comparisons = new WeakSet<object>();

/** Called for each node of a parsed script. */
export function noteComparisons(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] === "ConditionalCommand" && compares(node["expression"])) comparisons.add(node);
}

function compares(node: unknown): boolean {
  if (!isNode(node)) return false;
  if (node["type"] === "CondBinary") return comparing.test(String(node["operator"]));
  return [node["left"], node["right"], node["operand"], node["expression"]].some(compares);
}

/** Like `exactOperands`, for `[[ … ]]`. Returns the same node if nothing is replaced. */
export function withExactOperands(interpreter: Interpreter, node: object): object {
  if (!comparisons.has(node)) return node;
  const expression = exactly(interpreter, Reflect.get(node, "expression"));
  return expression === Reflect.get(node, "expression") ? node : { ...node, expression };
}

const fields = ["left", "right", "operand", "expression"];

function exactly(interpreter: Interpreter, node: unknown): unknown {
  if (!isNode(node)) return node;
  if (node["type"] === "CondBinary") {
    if (!comparing.test(String(node["operator"]))) return node;
    const pair = shorter(textOf(node["left"], interpreter), textOf(node["right"], interpreter));
    return pair === null ? node : { ...node, left: wordOf(pair[0]), right: wordOf(pair[1]) };
  }
  const changed = fields.filter((field) => field in node).map((field) => [field, exactly(interpreter, node[field])] as const);
  return changed.every(([field, value]) => value === node[field]) ? node : { ...node, ...Object.fromEntries(changed) };
}

function wordOf(value: string): object {
  return { type: "Word", parts: [{ type: "Literal", value }] };
}

/** The text of a word that is a literal or the value of a variable; "" for any other. */
function textOf(word: unknown, interpreter: Interpreter): string {
  const parts: readonly unknown[] = isNode(word) && Array.isArray(word["parts"]) ? word["parts"] : [];
  const [part, more] = parts;
  if (!isNode(part) || more !== undefined) return "";
  if (part["type"] === "DoubleQuoted") return textOf(part, interpreter);
  if (part["type"] === "ParameterExpansion" && part["operation"] === null) return valueOf(String(part["parameter"]), interpreter) ?? "";
  return typeof part["value"] === "string" ? part["value"] : "";
}
