import { isExact } from "./arithmetic-calls.ts";
import { namePattern } from "./glob-pattern.ts";
import { joinsBySpace } from "./many-words.ts";
import { ownFields } from "./name-references.ts";
import type { Interpreter } from "./running-script.ts";
import { isOutput } from "./traps.ts";
import { isNode, runsCommands, type Script, type Simple, single, type Word, word } from "./script-nodes.ts";

/** Holds a value between two commands. */
const variable = "__vibey_value";

/** The items of `case` commands with a pattern `!(…)`, which just-bash can't match. Copies of a command have the same. */
const negated = new WeakSet<object>();

/** Commands with an expansion such as `"${*:2}"` or `${list[*]#x}`. */
const joining = new WeakMap<object, boolean>();

/** Called for each node of a parsed script. */
export function noteEarlyValues(node: Readonly<Record<string, unknown>>): void {
  if (node["type"] === "Case" && itemsOf(node).some(({ patterns }) => patterns.some(isNegated))) negated.add(itemsOf(node));
}

interface Item {
  readonly patterns: readonly Word[];
}

function itemsOf(node: object): readonly Item[] {
  const items: unknown = Reflect.get(node, "items");
  return Array.isArray(items) ? items : [];
}

function isNegated({ parts }: Word): boolean {
  return parts.some((part) => part.type === "Glob" && part.pattern.includes("!("));
}

/**
 * Returns the command with values that just-bash would get wrong: it can't match `!(…)` in `case`, and joins `"${*:2}"` by a space where words are not
 * split, whatever IFS is. Null: the command needs none.
 */
export function withEarlyValues(interpreter: Interpreter, node: object): Promise<object> | null {
  if (negated.has(itemsOf(node))) return hasRedirections(node) ? Promise.resolve(inGroup(node)) : matched(interpreter, node);
  return !joinsBySpace(interpreter) && isJoining(node) ? joined(interpreter, node) : null;
}

function hasRedirections(node: object): boolean {
  const redirections: unknown = Reflect.get(node, "redirections");
  return Array.isArray(redirections) && redirections.length > 0;
}

/** The command without its redirections, in a group with them. They apply to what its word prints. */
function inGroup(node: object): object {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own `case` command.
  const bare = { ...node, redirections: [] } as unknown as Simple;
  return { type: "Group", body: [single(bare)], redirections: Reflect.get(node, "redirections") };
}

/** Replaces the patterns by one that matches, and others that don't. */
async function matched(interpreter: Interpreter, node: object): Promise<object> {
  const { state } = interpreter.ctx;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node.
  const { value, stderr } = await expanded(interpreter, assigning(Reflect.get(node, "word") as Word));
  const options: unknown = Reflect.get(state, "shoptOptions");
  const ignoresCase = Reflect.get(Object(options), "nocasematch") === true;
  const groups = Reflect.get(Object(options), "extglob") === true;
  const decided = (pattern: Word): Word => {
    if (!isNegated(pattern)) return pattern;
    const text = textOf(pattern);
    if (text === null) return pattern;
    const matches = namePattern(text, { ignoresCase, dots: true, groups }).matches(value);
    return quoted(matches ? value : `${value}.`);
  };
  const items = itemsOf(node).map((item) => ({ ...item, patterns: item.patterns.map(decided) }));
  const decidedCase = { ...node, word: quoted(value), items };
  return stderr === "" ? decidedCase : printingFirst(stderr, decidedCase);
}

/** The command, preceded by what the expansion of its word printed. */
function printingFirst(stderr: string, node: object): object {
  const print: Simple = {
    type: "SimpleCommand",
    assignments: [],
    name: word("builtin"),
    args: [word("printf"), word("%s"), quoted(stderr)],
    redirections: [{ type: "Redirection", fd: null, operator: ">&", target: word("2") }],
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own `case` command.
  return { type: "Group", body: [single(print), single(node as unknown as Simple)], redirections: [] };
}

/** The text of a pattern without expansions; null: it has some. */
function textOf({ parts }: Word): string | null {
  const texts = parts.map((part) => (part.type === "Glob" ? part.pattern : part.type === "Literal" ? part.value : null));
  return texts.includes(null) ? null : texts.join("");
}

function quoted(value: string): Word {
  return { type: "Word", parts: [{ type: "SingleQuoted", value }] };
}

const changing = new Set(["Substring", "PatternReplacement", "PatternRemoval", "CaseModification", "Transform"]);

function isJoined(node: Readonly<Record<string, unknown>>): boolean {
  const { type, parameter, operation } = node;
  if (type !== "ParameterExpansion" || !/^(?:\*|[A-Za-z_]\w*\[\*\])$/.test(String(parameter))) return false;
  // What a substitution prints to stderr would be lost.
  return isNode(operation) && changing.has(String(operation["type"])) && !runsCommands(operation);
}

function isPlainList({ type, parameter, operation }: Readonly<Record<string, unknown>>): boolean {
  return type === "ParameterExpansion" && operation === null && /^[A-Za-z_]\w*\[\*\]$/.test(String(parameter));
}

function isJoining(node: object): boolean {
  const known = joining.get(node);
  if (known !== undefined) return known;
  const has = (value: unknown): boolean => {
    if (Array.isArray(value)) return value.some(has);
    if (!isNode(value) || isLeft(value)) return false;
    return isJoined(value) || isPlainList(value) || Object.values(value).some(has);
  };
  const found = (ownFields[String(Reflect.get(node, "type"))] ?? []).some((field) => has(Reflect.get(node, field)));
  joining.set(node, found);
  return found;
}

function isLeft(node: object): boolean {
  const type: unknown = Reflect.get(node, "type");
  return type === "CommandSubstitution" || type === "ProcessSubstitution" || isExact(node);
}

async function joined(interpreter: Interpreter, node: object): Promise<object> {
  /** `isValue`: outside of quotes, in a word that is not split. */
  const copy = async (value: unknown, isInQuotes: boolean, isValue: boolean): Promise<unknown> => {
    if (Array.isArray(value)) {
      const all: unknown[] = [];
      for (const each of value) all.push(await copy(each, isInQuotes, isValue));
      return all;
    }
    if (!isNode(value) || isLeft(value)) return value;
    if ((isInQuotes && isJoined(value)) || (isValue && !isInQuotes && (isJoined(value) || isPlainList(value)))) {
      const text = await joinedWords(interpreter, value);
      return { type: isInQuotes ? "Literal" : "SingleQuoted", value: text };
    }
    const inQuotes = isInQuotes || value["type"] === "DoubleQuoted";
    const entries: [string, unknown][] = [];
    for (const [name, each] of Object.entries(value))
      entries.push([name, await copy(each, inQuotes, isValue || (value["type"] === "Assignment" && name === "value"))]);
    return Object.fromEntries(entries);
  };
  const fields: [string, unknown][] = [];
  for (const field of ownFields[String(Reflect.get(node, "type"))] ?? [])
    fields.push([field, await copy(Reflect.get(node, field), false, field === "word")]);
  return { ...node, ...Object.fromEntries(fields) };
}

function assigning(value: Word): Simple {
  return {
    type: "SimpleCommand",
    assignments: [{ type: "Assignment", name: variable, value, append: false, array: null }],
    name: null,
    args: [],
    redirections: [],
  };
}

/** Joins the words of `"${list[@]…}"` for `"${list[*]…}"`. */
async function joinedWords(interpreter: Interpreter, part: Record<string, unknown>): Promise<string> {
  const each = { ...part, parameter: String(part["parameter"]).replace("*", "@") };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own part of a word.
  const list = { type: "Word", parts: [{ type: "DoubleQuoted", parts: [each] }] } as Word;
  const command = assigning(word(""));
  const values = { type: "Assignment" as const, name: variable, value: null, append: false, array: [list] };
  const { state } = interpreter.ctx;
  await expand(interpreter, { ...command, assignments: [values] });
  const all: unknown = Reflect.get(state, "arrays");
  const elements: unknown = all instanceof Map ? Reflect.get(Object(all.get(variable)), "elements") : null;
  if (!(all instanceof Map) || !(elements instanceof Map)) throw new Error("just-bash keeps its arrays elsewhere: was it updated?");
  all.delete(variable);
  return [...elements.values()].join(variablesOf(state).get("IFS")?.charAt(0) ?? " ");
}

async function expand(interpreter: Interpreter, command: Simple): Promise<string> {
  return (await expanded(interpreter, command)).value;
}

/** Runs a command that sets the variable. */
async function expanded(interpreter: Interpreter, command: Simple): Promise<{ readonly value: string; readonly stderr: string }> {
  const { state } = interpreter.ctx;
  const execute: unknown = Reflect.get(interpreter.ctx, "executeScript");
  if (typeof execute !== "function") throw new Error("just-bash runs scripts elsewhere: was it updated?");
  const code: unknown = Reflect.get(state, "lastExitCode");
  const script: Script = { type: "Script", statements: [single(command)] };
  try {
    const result: unknown = await Reflect.apply(execute, null, [script]);
    return { value: variablesOf(state).get(variable) ?? "", stderr: isOutput(result) ? result.stderr : "" };
  } finally {
    variablesOf(state).delete(variable);
    Reflect.set(state, "lastExitCode", code);
    variablesOf(state).set("?", String(code));
  }
}

/** just-bash replaces the map after a substitution. */
function variablesOf(state: object): Map<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return variables;
}
