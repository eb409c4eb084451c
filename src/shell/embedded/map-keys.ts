import { isExact } from "./arithmetic-calls.ts";
import { ownFields } from "./name-references.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode } from "./script-nodes.ts";

/** Whether any parsed script has a variable in the key of `${map[$key]}`. Until then commands need no change. */
let areUsed = false;

/** Called for each node of a parsed script. */
export function noteKey(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] === "ParameterExpansion" && keyOf(node) !== null) areUsed = true;
}

interface Key {
  readonly map: string;
  readonly key: string;
  /** Each variable as the key has it, and its name. */
  readonly variables: readonly (readonly [written: string, name: string])[];
}

/** A key that consists of text and of variables without operations. */
function keyOf(node: Readonly<Record<string, unknown>>): Key | null {
  const [, map, quoted, plain] = /^([A-Za-z_]\w*)\[(?:"([^"'`\\]*)"|([^"'`\\]*))\]$/s.exec(String(node["parameter"])) ?? [];
  const key = quoted ?? plain;
  if (map === undefined || key === undefined || !key.includes("$") || /\$(?![\w{])|\$\{(?!\w+\})/.test(key)) return null;
  return { map, key, variables: [...key.matchAll(variables)].map(([written, name, braced]) => [written, name ?? braced ?? ""]) };
}

const variables = /\$(?:([A-Za-z_]\w*|\d)|\{(\w+)\})/g;

/** The maps and variables of a command's keys. */
const known = new WeakMap<object, readonly Key[]>();

function keysIn(node: object): readonly Key[] {
  const before = known.get(node);
  if (before !== undefined) return before;
  const found: Key[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isNode(value) || isOwnScript(value)) return;
    const key = value["type"] === "ParameterExpansion" ? keyOf(value) : null;
    if (key !== null) found.push(key);
    for (const each of Object.values(value)) visit(each);
  };
  for (const field of ownFields[String(Reflect.get(node, "type"))] ?? []) visit(Reflect.get(node, field));
  known.set(node, found);
  return found;
}

function isOwnScript(node: Readonly<Record<string, unknown>>): boolean {
  return node["type"] === "CommandSubstitution" || node["type"] === "ProcessSubstitution";
}

function namesAssigned(node: object): ReadonlySet<unknown> {
  const assignments: unknown = Reflect.get(node, "assignments");
  return new Set(Array.isArray(assignments) ? assignments.map((each: unknown) => (isNode(each) ? each["name"] : null)) : []);
}

/** Text that just-bash would expand again. */
const special = /[$`"'\\\n]/;

/**
 * Returns a command in which the keys of `${map[$key]}` are expanded once. just-bash expands the value of `key` again. Returns the same node if no
 * value has something to expand.
 */
export function withKeys({ ctx: { state } }: Interpreter, node: object): object {
  if (!areUsed) return node;
  const keys = keysIn(node);
  if (keys.length === 0) return node;
  const maps: unknown = Reflect.get(state, "associativeArrays");
  const values: unknown = Reflect.get(state, "env");
  if (!(maps instanceof Set) || !(values instanceof Map)) return node;
  // The command assigns a variable of the key first, so the key can't be expanded yet.
  const assigned = namesAssigned(node);
  if (keys.some((key) => key.variables.some(([, name]) => assigned.has(name)))) return node;
  const isSpecial = ({ map, variables: all }: Key): boolean =>
    maps.has(map) && all.some(([, name]) => special.test(String(values.get(name) ?? "")));
  if (!keys.some(isSpecial)) return node;
  let count = 0;
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (!isNode(value) || isOwnScript(value) || isExact(value)) return value;
    const key = value["type"] === "ParameterExpansion" ? keyOf(value) : null;
    const entries = Object.entries(value).map(([name, each]) => [name, copy(each)] as const);
    if (key === null || !isSpecial(key)) return Object.fromEntries(entries);
    const [variable, more] = key.variables;
    let name = variable?.[1] ?? "";
    if (more !== undefined || variable?.[0] !== key.key || /^\d/.test(name)) {
      name = `__vibey_key_${count++}`;
      values.set(
        name,
        key.key.replaceAll(variables, (_, plain?: string, braced?: string) => String(values.get(plain ?? braced) ?? "")),
      );
    }
    // just-bash takes off the quotes, and then expands the variable.
    return { ...Object.fromEntries(entries), parameter: `${key.map}['$${name}']` };
  };
  const fields = ownFields[String(Reflect.get(node, "type"))] ?? [];
  return { ...node, ...Object.fromEntries(fields.map((field) => [field, copy(Reflect.get(node, field))])) };
}
