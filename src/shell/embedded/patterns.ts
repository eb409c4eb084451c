import { valueOf } from "./many-words.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode } from "./script-nodes.ts";
import { patternAsWritten } from "./readable-source.ts";

type Parts = Record<string, unknown>[];

/** `case` commands with a quoted variable in a pattern, whose value must not act as a pattern. */
const withQuotedVariables = new WeakSet<object>();

/**
 * Changes the patterns of `case` and `[[ … ]]` into a form that just-bash matches as bash does. It takes the `!` of `[!0-9]` for a character of the
 * set, a quoted character of a `case` pattern such as `*\?*` or `"$folder"/*` for a part of the pattern, and a backslash for the start of an escape.
 */
export function readPatterns(node: Record<string, unknown>): void {
  if (node["type"] === "Glob") node["pattern"] = patternAsWritten(String(node["pattern"]));
  if (node["type"] === "CondBinary" && /^[=!]?=$/.test(String(node["operator"]))) negate(node);
  if (node["type"] === "CondBinary" && /^[=!]?=$/.test(String(node["operator"]))) readPattern(partsOf(node["right"]), false);
  if (node["type"] !== "Case" || !Array.isArray(node["items"])) return;
  const words = node["items"].flatMap((item: { readonly patterns: readonly unknown[] }) => item.patterns);
  for (const word of words) {
    const parts = partsOf(word);
    // just-bash knows that a word has no pattern if all of it is quoted.
    if (parts.every(({ type }) => quoted.has(String(type)))) continue;
    readPattern(parts, true);
    if (parts.some(isQuotedVariable)) withQuotedVariables.add(node);
  }
}

/** `[[ x == !(a|b) ]]` becomes `[[ x != @(a|b) ]]`, because just-bash can't match `!(…)`. */
function negate(node: Record<string, unknown>): void {
  const [part, more] = partsOf(node["right"]);
  const pattern = part?.["type"] === "Glob" && more === undefined ? String(part["pattern"]) : "";
  if (part === undefined || !/^!\((?:[^()\\]|\((?:[^()\\]|\([^()\\]*\))*\))*\)$/.test(pattern)) return;
  part["pattern"] = `@${pattern.slice(1)}`;
  node["operator"] = node["operator"] === "!=" ? "==" : "!=";
}

const quoted = new Set(["SingleQuoted", "DoubleQuoted", "Escaped"]);

/** Sets of characters, and the beginning of a set that ends in another part. */
const sets = /\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]\\])*\]?/gs;

function readPattern(parts: Parts, inCase: boolean): void {
  for (const [i, part] of parts.entries()) {
    const { type, pattern, value } = part;
    if (type === "Glob") part["pattern"] = String(pattern).replaceAll(sets, (set) => (set.startsWith("[!") ? `[^${set.slice(2)}` : set));
    // A set that has quotes is more than one part.
    else if (type === "Literal" && String(value).startsWith("!") && String(parts[i - 1]?.["pattern"]).endsWith("["))
      part["value"] = String(value).replace("!", "^");
    else if (type === "Escaped" && value === "\\") part["type"] = "SingleQuoted";
  }
  if (!inCase) return;
  const readable = parts.flatMap((part) => {
    if (part["type"] !== "DoubleQuoted") return [literalOf(part)];
    return partsOf(part).map((inner) =>
      inner["type"] === "Literal" ? literalOf({ ...inner, type: "SingleQuoted" }) : inQuotes(literalOf(inner)),
    );
  });
  parts.splice(0, parts.length, ...readable);
}

/** Quoted text with backslashes; other parts stay as they are. */
function literalOf(part: Record<string, unknown>): Record<string, unknown> {
  const isText = part["type"] === "SingleQuoted" || part["type"] === "Escaped";
  return isText ? { type: "Literal", value: escaped(String(part["value"])) } : part;
}

function inQuotes(part: Record<string, unknown>): Record<string, unknown> {
  return part["type"] === "Literal" ? part : { type: "DoubleQuoted", parts: [part] };
}

function isQuotedVariable(part: Record<string, unknown>): boolean {
  const [inner, more] = part["type"] === "DoubleQuoted" ? partsOf(part) : [];
  return inner !== undefined && more === undefined && inner["type"] === "ParameterExpansion" && inner["operation"] === null;
}

/** Returns a `case` command in whose patterns each quoted variable is replaced by its value. Returns the same node if there is none. */
export function withQuotedValues(interpreter: Interpreter, node: object): object {
  if (!withQuotedVariables.has(node)) return node;
  const items: readonly { readonly patterns: readonly object[] }[] = Reflect.get(node, "items");
  const valued = (part: Record<string, unknown>): Record<string, unknown> => {
    const value = isQuotedVariable(part) ? valueOf(String(partsOf(part)[0]?.["parameter"]), interpreter) : undefined;
    return value === undefined ? part : { type: "Literal", value: escaped(value ?? "") };
  };
  return {
    ...node,
    items: items.map((item) => ({ ...item, patterns: item.patterns.map((word) => ({ ...word, parts: partsOf(word).map(valued) })) })),
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[\\*?[\]()|]/g, String.raw`\$&`);
}

function partsOf(word: unknown): Parts {
  return isNode(word) && Array.isArray(word["parts"]) ? word["parts"] : [];
}
