import { isExact } from "./arithmetic-calls.ts";
import type { Interpreter } from "./running-script.ts";

/** The maximum length of a chain of references. */
const mostSteps = 100;

/** The parts of a command that are expanded before it runs. Commands inside it are handled when they run. */
export const ownFields: Readonly<Record<string, readonly string[]>> = {
  SimpleCommand: ["assignments", "name", "args", "redirections"],
  For: ["words", "redirections"],
  Case: ["word", "redirections"],
  ConditionalCommand: ["expression"],
  ArithmeticCommand: ["expression"],
};

/**
 * Returns a command in which arrays and their elements have the names that `local -n` and `declare -n` refer to; just-bash only resolves plain
 * variables there. Returns the same node if there are none.
 */
export function withTargets({ ctx: { state } }: Interpreter, node: object): object {
  const references: unknown = Reflect.get(state, "namerefs");
  const variables: unknown = Reflect.get(state, "env");
  if (!(references instanceof Set) || references.size === 0 || !(variables instanceof Map)) return node;
  const fields = ownFields[String(Reflect.get(node, "type"))] ?? [];
  const target = (given: string, needsIndex: boolean): string => {
    const [, name = "", rest = ""] = /^([A-Za-z_]\w*)(\[[^]*)?$/.exec(given) ?? [];
    if (!references.has(name) || (needsIndex && rest === "")) return given;
    let found = name;
    for (let steps = 0; references.has(found) && steps < mostSteps; steps++) found = String(variables.get(found) ?? "");
    return /^[A-Za-z_]\w*$/.test(found) ? found + rest : given;
  };
  const copies = fields.map((field) => [field, copy(Reflect.get(node, field), target)] as const);
  return copies.every(([field, value]) => value === Reflect.get(node, field)) ? node : { ...node, ...Object.fromEntries(copies) };
}

/** Copies the value; returns it unchanged if no name differs. */
function copy(value: unknown, target: (name: string, needsIndex: boolean) => string): unknown {
  if (Array.isArray(value)) {
    const all = value.map((each) => copy(each, target));
    return all.every((each, i) => each === value[i]) ? value : all;
  }
  if (typeof value !== "object" || value === null) return value;
  const type: unknown = Reflect.get(value, "type");
  if (type === "CommandSubstitution" || type === "ProcessSubstitution" || isExact(value)) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (typeof inner !== "string") return [key, copy(inner, target)];
    if (key === "array") return [key, target(inner, false)];
    if (type === "ParameterExpansion" && key === "parameter") return [key, target(inner, true)];
    if (type === "Assignment" && key === "name") return [key, target(inner, Reflect.get(value, "array") === null)];
    return [key, inner];
  });
  return entries.every(([key, inner]) => inner === Reflect.get(value, key)) ? value : Object.fromEntries(entries);
}
