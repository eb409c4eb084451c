import type { Interpreter } from "./running-script.ts";
import { isNode, literal } from "./script-nodes.ts";

/**
 * Returns a command in which each `"${@:-x}"`, `"${list[@]+"${list[@]}"}"` and similar expansion is replaced by its result: the list, the word after
 * the operator, or nothing. just-bash takes a list there for one word. Returns the same node if there is nothing to replace.
 */
export function withManyWords(interpreter: Interpreter, given: object): object {
  const node = joinsBySpace(interpreter) ? given : withJoinedLists(interpreter, given);
  const type: unknown = Reflect.get(node, "type");
  if (type === "For") return replaced(node, "words", interpreter);
  if (type !== "SimpleCommand") return node;
  const command = replaced(node, "args", interpreter, !declaring.has(literal(Reflect.get(node, "name")) ?? ""));
  const assignments: unknown = Reflect.get(command, "assignments");
  if (!Array.isArray(assignments)) return command;
  const set: readonly object[] = assignments.map((each: object) => valued(replaced(each, "array", interpreter), interpreter));
  return set.every((each, i) => each === assignments[i]) ? command : { ...command, assignments: set };
}

/** The parts of a command whose words are not split. */
const unsplit: Readonly<Record<string, string | undefined>> = { Case: "word", ConditionalCommand: "expression" };

/** Joins the lists in here-strings, here-documents, `case`, and `[[ … ]]` by the first character of IFS. just-bash joins them by a space. */
function withJoinedLists(interpreter: Interpreter, node: object): object {
  const field = unsplit[String(Reflect.get(node, "type"))];
  const fields = field === undefined ? ["redirections"] : [field, "redirections"];
  const all = fields.map((each) => [each, withJoined(Reflect.get(node, each), interpreter)] as const);
  return all.every(([each, value]) => value === Reflect.get(node, each)) ? node : { ...node, ...Object.fromEntries(all) };
}

/** Returns the same node if it has no such list. */
function withJoined(node: unknown, interpreter: Interpreter): unknown {
  if (Array.isArray(node)) {
    const all = node.map((each: unknown) => withJoined(each, interpreter));
    return all.every((each, i) => each === node[i]) ? node : all;
  }
  if (!isNode(node) || node["type"] === "CommandSubstitution" || node["type"] === "ProcessSubstitution") return node;
  if (node["type"] === "DoubleQuoted" && Array.isArray(node["parts"])) return { ...node, parts: withTexts(node["parts"], interpreter) };
  if (node["type"] === "HereDoc" && isNode(node["content"]) && Array.isArray(node["content"]["parts"]))
    return { ...node, content: { ...node["content"], parts: withTexts(node["content"]["parts"], interpreter) } };
  const text = joined(node, interpreter);
  if (text !== null) return { type: "SingleQuoted", value: text };
  const entries = Object.entries(node).map(([key, value]) => [key, withJoined(value, interpreter)] as const);
  return entries.every(([key, value]) => value === node[key]) ? node : Object.fromEntries(entries);
}

function withTexts(parts: readonly unknown[], interpreter: Interpreter): readonly unknown[] {
  return parts.map((part) => {
    const text = isNode(part) ? joined(part, interpreter) : null;
    return text === null ? part : { type: "Literal", value: text };
  });
}

/** An assignment of one word. */
function valued(assignment: object, interpreter: Interpreter): object {
  const value: unknown = Reflect.get(assignment, "value");
  const given: readonly unknown[] = isNode(value) && Array.isArray(value["parts"]) ? value["parts"] : [];
  if (!given.some((part) => isTransformed(part) || isQuotedList(part))) return assignment;
  const parts = expanded(given, false, interpreter);
  return parts === null || !isNode(value) ? assignment : { ...assignment, value: { ...value, parts } };
}

function isTransformed(part: unknown): boolean {
  if (!isNode(part)) return false;
  if (part["type"] === "DoubleQuoted" && Array.isArray(part["parts"])) return part["parts"].some(isTransformed);
  return isNode(part["operation"]) && part["operation"]["type"] === "Transform";
}

/** Whether quotes contain `${list[*]}`. */
function isQuotedList(part: unknown): boolean {
  if (!isNode(part) || part["type"] !== "DoubleQuoted" || !Array.isArray(part["parts"])) return false;
  return part["parts"].some((inner: unknown) => isNode(inner) && listOf(inner) !== null);
}

/** The name of the list in `${list[*]}`; null: it is another expansion. */
function listOf({ type, parameter, operation }: Record<string, unknown>): string | null {
  if (type !== "ParameterExpansion" || operation !== null) return null;
  return /^([A-Za-z_]\w*)\[\*\]$/.exec(String(parameter))?.[1] ?? null;
}

/** The elements of `"${list[*]}"`, joined by the first character of IFS. In an assignment, just-bash joins them by a space. Null: a space is right. */
function joined(part: Record<string, unknown>, interpreter: Interpreter): string | null {
  const { state } = interpreter.ctx;
  const name = listOf(part);
  const variables: unknown = Reflect.get(state, "env");
  const arrays: unknown = Reflect.get(state, "arrays");
  if (name === null || !(variables instanceof Map) || !(arrays instanceof Map)) return null;
  const separators: unknown = variables.get("IFS");
  const list: unknown = arrays.get(name);
  const elements: unknown = Reflect.get(Object(list), "elements");
  if (joinsBySpace(interpreter) || typeof separators !== "string" || !(elements instanceof Map)) return null;
  const all = [...elements].map(([key, value]) => [Number(key), String(value)] as const);
  if (Reflect.get(Object(list), "kind") === "indexed") all.sort(([a], [b]) => a - b);
  return all.map(([, value]) => value).join(separators.charAt(0));
}

export function joinsBySpace({ ctx: { state } }: Interpreter): boolean {
  const variables: unknown = Reflect.get(state, "env");
  const separators: unknown = variables instanceof Map ? variables.get("IFS") : undefined;
  return typeof separators !== "string" || separators.startsWith(" ");
}

/** Words of these nodes are not split. */
/** Commands whose words of the form `name=value` are assignments. */
export const declaring = new Set(["local", "declare", "typeset", "export", "readonly"]);

function replaced(node: object, field: string, interpreter: Interpreter, areSplit = true): object {
  const given: unknown = Reflect.get(node, field);
  if (!Array.isArray(given) || !given.some(mayChange)) return node;
  const words = areSplit ? given.flatMap((word: unknown) => apart(word, interpreter)) : given;
  const all = words.flatMap((word: unknown) => {
    const parts = isNode(word) && Array.isArray(word["parts"]) ? expanded(word["parts"], false, interpreter) : null;
    if (parts === null || !isNode(word)) return [word];
    return parts.every(isEmpty) ? [] : [{ ...word, parts }];
  });
  return all.length === given.length && all.every((word, i) => word === given[i]) ? node : { ...node, [field]: all };
}

/** Whether the word may be replaced. Most words can't, whatever the values of the variables are. */
function mayChange(word: unknown): boolean {
  if (!isNode(word) || !Array.isArray(word["parts"])) return false;
  return word["parts"].some(
    (part: unknown, i) => hasOperation(part) || isQuotedList(part) || (i > 0 && isNode(part) && part["type"] === "ParameterExpansion"),
  );
}

function hasOperation(part: unknown): boolean {
  if (!isNode(part)) return false;
  if (part["type"] === "DoubleQuoted" && Array.isArray(part["parts"])) return part["parts"].some(hasOperation);
  return part["type"] === "ParameterExpansion" && isNode(part["operation"]);
}

/** A space at the start of a variable ends the word before it (`--name$value`). just-bash would ignore it. */
function apart(word: unknown, interpreter: Interpreter): readonly unknown[] {
  const parts: unknown = isNode(word) ? word["parts"] : null;
  if (!isNode(word) || !Array.isArray(parts) || parts.length < 2 || parts.some(isBrace)) return [word];
  const blanks = blanksOf(interpreter);
  const at = parts.findIndex((part: unknown, i) => {
    if (i === 0 || !isNode(part) || part["type"] !== "ParameterExpansion" || part["operation"] !== null) return false;
    const value = valueOf(String(part["parameter"]), interpreter);
    return typeof value === "string" && value !== "" && blanks.includes(value.charAt(0));
  });
  if (at < 0) return [word];
  return [{ ...word, parts: parts.slice(0, at) }, ...apart({ ...word, parts: parts.slice(at) }, interpreter)];
}

function isBrace(part: unknown): boolean {
  return isNode(part) && part["type"] === "BraceExpansion";
}

/** The characters that currently split words. */
function blanksOf({ ctx: { state } }: Interpreter): string {
  const variables: unknown = Reflect.get(state, "env");
  const given: unknown = variables instanceof Map ? variables.get("IFS") : undefined;
  return typeof given === "string" ? given.replaceAll(/[^ \t\n]/g, "") : " \t\n";
}

/** Null: the parts stay as they are. */
function expanded(parts: readonly unknown[], isQuoted: boolean, interpreter: Interpreter): readonly unknown[] | null {
  let isSame = true;
  const all = parts.flatMap((part): readonly unknown[] => {
    const found = expansionOf(part, isQuoted, interpreter);
    if (found !== null) isSame = false;
    return found ?? [part];
  });
  return isSame ? null : all;
}

function expansionOf(part: unknown, isQuoted: boolean, interpreter: Interpreter): readonly unknown[] | null {
  if (!isNode(part)) return null;
  if (part["type"] === "DoubleQuoted" && Array.isArray(part["parts"])) {
    const parts = expanded(part["parts"], true, interpreter);
    return parts === null ? null : [{ ...part, parts }];
  }
  const { operation } = part;
  const text = isQuoted ? joined(part, interpreter) : null;
  if (text !== null) return [{ type: "Literal", value: text }];
  if (part["type"] !== "ParameterExpansion" || !isNode(operation)) return null;
  if (operation["type"] === "Transform") return transformed(part, interpreter);
  const isDefault = operation["type"] === "DefaultValue";
  if (!isDefault && operation["type"] !== "UseAlternative") return null;
  const parameter = String(part["parameter"]);
  const given = isNode(operation["word"]) && Array.isArray(operation["word"]["parts"]) ? operation["word"]["parts"] : [];
  if (!isMany(parameter) && !hasMany(given)) return null;
  // An unquoted part would be split.
  if (!isQuoted && given.some(isSplit)) return null;
  const value = valueOf(parameter, interpreter);
  if (value === undefined) return null;
  const isSet = value !== null && (value !== "" || operation["checkEmpty"] !== true);
  if (isDefault && isSet) return [{ ...part, operation: null }];
  const isLeftOut = isDefault === isSet || !given.some((each) => hasWords(each, interpreter));
  // Quotes around a variable turn no words into one empty word; quotes around a list do not.
  if (isQuoted && isLeftOut && !isMany(parameter)) return [{ type: "Literal", value: "" }];
  return isDefault === isSet ? [] : isQuoted ? given.flatMap(withoutQuotes) : given;
}

/** Holds the parameters for `${@@Q}` and similar expansions, which just-bash applies to all parameters as one. */
const copies = "__vibey_parameters";

function transformed(part: Record<string, unknown>, { ctx: { state } }: Interpreter): readonly unknown[] | null {
  const variables: unknown = Reflect.get(state, "env");
  const arrays: unknown = Reflect.get(state, "arrays");
  const name = part["parameter"];
  if ((name !== "@" && name !== "*") || !(variables instanceof Map) || !(arrays instanceof Map)) return null;
  const count = Number(variables.get("#") ?? 0);
  const elements = Array.from({ length: count }, (_, i) => [String(i), String(variables.get(String(i + 1)) ?? "")] as const);
  arrays.set(copies, { kind: "indexed", elements: new Map(elements) });
  return [{ ...part, parameter: `${copies}[${name}]` }];
}

function hasWords(part: unknown, interpreter: Interpreter): boolean {
  if (!isNode(part)) return false;
  if (part["type"] === "DoubleQuoted" && Array.isArray(part["parts"])) return part["parts"].some((inner) => hasWords(inner, interpreter));
  const parameter = String(part["parameter"]);
  return part["type"] !== "ParameterExpansion" || !isMany(parameter) || valueOf(parameter, interpreter) !== null;
}

/** Whether the content of these quotes expanded to no words. */
function isEmpty(part: unknown): boolean {
  return isNode(part) && part["type"] === "DoubleQuoted" && Array.isArray(part["parts"]) && part["parts"].length === 0;
}

function isSplit(part: unknown): boolean {
  return isNode(part) && typeof part["value"] === "string" && /\s/.test(part["value"]);
}

function withoutQuotes(part: unknown): readonly unknown[] {
  return isNode(part) && part["type"] === "DoubleQuoted" && Array.isArray(part["parts"]) ? part["parts"] : [part];
}

function isMany(parameter: string): boolean {
  return parameter === "@" || /^[A-Za-z_]\w*\[@\]$/.test(parameter);
}

function hasMany(parts: readonly unknown[]): boolean {
  return parts.some(
    (part: unknown) =>
      isNode(part) &&
      ((part["type"] === "ParameterExpansion" && isMany(String(part["parameter"]))) ||
        (part["type"] === "DoubleQuoted" && Array.isArray(part["parts"]) && hasMany(part["parts"]))),
  );
}

/** The value as one text; null: not set; undefined: unknown here. */
export function valueOf(parameter: string, { ctx: { state } }: Interpreter): string | null | undefined {
  const variables: unknown = Reflect.get(state, "env");
  const arrays: unknown = Reflect.get(state, "arrays");
  if (!(variables instanceof Map) || !(arrays instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  const plain = (name: string): string | null => (variables.has(name) ? String(variables.get(name)) : null);
  if (parameter === "@") {
    const count = Number(variables.get("#") ?? 0);
    return count === 0 ? null : Array.from({ length: count }, (_, i) => plain(String(i + 1)) ?? "").join(" ");
  }
  if (/^\d+$/.test(parameter)) return plain(parameter);
  const [, name = "", index] = /^([A-Za-z_]\w*)(\[@\])?$/.exec(parameter) ?? [];
  if (name === "") return undefined;
  const elements: unknown = Reflect.get(Object(arrays.get(name)), "elements");
  if (!(elements instanceof Map)) return plain(name);
  if (index === undefined) return elements.has("0") ? String(elements.get("0")) : null;
  return elements.size === 0 ? null : [...elements.values()].join(" ");
}
