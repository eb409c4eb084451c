import { evaluateIn, mistakeOf, readExpression } from "./exact-arithmetic.ts";
import { valueOf } from "./many-words.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode } from "./script-nodes.ts";
import { isOutput } from "./traps.ts";

/** An expression without side effects, which may be evaluated once more. */
const harmless = /^(?!.*(?:\+\+|--))[\w\s()+*/%-]+$/s;
/** Beyond this, just-bash's integers are not exact. */
const exactLimit = 2n ** 53n;

/** The value, if just-bash would get it wrong; null: it gets it right, or the text is no such expression. */
function longValue(interpreter: Interpreter, text: string): string | null {
  const expression = harmless.test(text) ? readExpression(text) : null;
  if (expression === null) return null;
  try {
    const value = evaluateIn(interpreter, expression);
    return value >= exactLimit || value <= -exactLimit ? String(value) : null;
  } catch (error) {
    if (mistakeOf(error) === null) throw error;
    return null;
  }
}

function integersOf({ ctx: { state } }: Interpreter): ReadonlySet<unknown> {
  const names: unknown = Reflect.get(state, "integerVars");
  return names instanceof Set ? names : new Set();
}

function set({ ctx: { state } }: Interpreter, name: string, value: string): void {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  if (variables.has(name)) variables.set(name, value);
}

/** Wraps a call of `declare`, `local`, `typeset`, `export` or `readonly`: `declare -i n=9007199254740993` keeps all digits. */
export async function withLongDeclarations(
  interpreter: Interpreter,
  words: readonly unknown[],
  run: () => Promise<unknown>,
): Promise<unknown> {
  const given = words.map(String);
  const isInteger = given.some((word) => /^-\w*i/.test(word));
  const long = given.flatMap((word): [string, string][] => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || value === undefined || !(isInteger || integersOf(interpreter).has(name))) return [];
    const exact = longValue(interpreter, value);
    return exact === null ? [] : [[name, exact]];
  });
  const result = await run();
  if (isOutput(result) && Reflect.get(result, "exitCode") === 0) for (const [name, value] of long) set(interpreter, name, value);
  return result;
}

/** Wraps a command of assignments. */
export function withLongAssignments(interpreter: Interpreter, node: object, run: () => Promise<unknown>): Promise<unknown> {
  const integers = integersOf(interpreter);
  const assignments: unknown = Reflect.get(node, "assignments");
  if (integers.size === 0 || Reflect.get(node, "name") !== null || !Array.isArray(assignments) || assignments.length !== 1) return run();
  const [assignment]: unknown[] = assignments;
  if (!isNode(assignment) || !integers.has(assignment["name"]) || !isNode(assignment["value"])) return run();
  const name = String(assignment["name"]);
  const text = textOf(assignment["value"], interpreter);
  const long = text === null ? null : longValue(interpreter, assignment["append"] === true ? `(${name})+(${text})` : text);
  return long === null ? run() : assigned(interpreter, name, long, run);
}

async function assigned(interpreter: Interpreter, name: string, value: string, run: () => Promise<unknown>): Promise<unknown> {
  const result = await run();
  if (isOutput(result) && result.stderr === "") set(interpreter, name, value);
  return result;
}

/** The text of a word of literals and variables; null: it has other parts. */
function textOf(word: Record<string, unknown>, interpreter: Interpreter): string | null {
  const parts: readonly unknown[] = Array.isArray(word["parts"]) ? word["parts"] : [];
  const texts = parts.map((part) => {
    if (!isNode(part)) return null;
    if (part["type"] === "DoubleQuoted") return textOf(part, interpreter);
    if (part["type"] === "Glob") return String(part["pattern"]);
    if (part["type"] === "ParameterExpansion" && part["operation"] === null) return valueOf(String(part["parameter"]), interpreter) ?? null;
    return typeof part["value"] === "string" ? part["value"] : null;
  });
  return texts.includes(null) ? null : texts.join("");
}
