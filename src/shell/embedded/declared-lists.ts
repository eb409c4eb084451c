import { Bash } from "just-bash/browser";
import { type Command, literal, type Part, type Simple, type Statement } from "./script-nodes.ts";

const declaring = new Set(["declare", "typeset", "local"]);
const later = new Set(["readonly", "export"]);
const listStart = /^([A-Za-z_][A-Za-z0-9_]*)\+?=\(/;
/** What the parser leaves of a substitution in a list: the name of its node. */
const lostNode = /\b(?:CommandSubstitution|ArithmeticExpansion)\b/;

/**
 * just-bash loses the substitutions in `declare name=($(command))`, takes `"${@:2}"` there for one word, and the list in `export name=(a b)` for a
 * text. Such a command is parsed again as `declare name; name=(…)`. Returns the name of a list that stays lost; null if there is none.
 */
export function spellOutLists(statement: Statement): string | null {
  const commands = statement.pipelines.flatMap((pipeline) => pipeline.commands);
  const text = statement.sourceText ?? "";
  const expands = /[$`]/.test(text);
  if (!commands.some((command) => listOf(command) !== null && (expands || isExport(command)))) return null;
  const written = commandsIn(text);
  let at = 0;
  for (const pipeline of statement.pipelines)
    for (const [nth, command] of pipeline.commands.entries()) {
      const words = written?.length === commands.length ? withoutRedirections(written[at] ?? []) : undefined;
      at += 1;
      const list = listOf(command);
      if (list === null || command.type !== "SimpleCommand") continue;
      const body = words?.length === command.args.length + 1 ? readAgain(inSteps(words)) : null;
      if (body !== null) pipeline.commands[nth] = { type: "Group", body: withRedirections(body, command), redirections: [] };
      else if (command.args.some(({ parts }) => parts.some(isLost))) return list;
    }
  return null;
}

/** The words of a command that are neither a redirection nor its target. */
function withoutRedirections(words: readonly string[]): readonly string[] {
  let isTarget = false;
  return words.filter((word) => {
    const [redirection, rest] = isTarget ? [] : (/^(?:\d+|\{\w+\})?(?:&>>?|<<<|<>|>>|>\||[<>]&?)(?!\()(.*)$/s.exec(word) ?? []);
    const isKept = !isTarget && redirection === undefined;
    isTarget = rest === "";
    return isKept;
  });
}

/** Gives all commands the original line. Only the declaring commands get the redirections, because the substitutions come before them. */
function withRedirections(body: readonly Statement[], { redirections, line }: Simple): Statement[] {
  return body.map((statement) => ({
    ...statement,
    pipelines: statement.pipelines.map((pipeline) => ({
      ...pipeline,
      commands: pipeline.commands.map((command) =>
        command.type === "SimpleCommand"
          ? { ...command, ...(line !== undefined && { line }), ...(statement.pipelines.length === 1 && { redirections }) }
          : command,
      ),
    })),
  }));
}

/** Null: the words were split wrongly. */
function readAgain(text: string): Statement[] | null {
  try {
    return new Bash({ defenseInDepth: false }).transform(text).ast.statements;
  } catch (error) {
    if (error instanceof Error && ["ParseException", "LexerError"].includes(error.name)) return null;
    throw error;
  }
}

function isExport(command: Command): boolean {
  return command.type === "SimpleCommand" && literal(command.name) === "export";
}

/** The first list that the command declares. */
function listOf(command: Command): string | null {
  if (command.type !== "SimpleCommand") return null;
  const name = literal(command.name) ?? "";
  if (!declaring.has(name) && !later.has(name)) return null;
  for (const { parts } of command.args) {
    const [first] = parts;
    const list = first?.type === "Literal" ? listStart.exec(first.value)?.[1] : undefined;
    if (list !== undefined) return list;
  }
  return null;
}

function isLost(part: Part): boolean {
  return part.type === "DoubleQuoted"
    ? part.parts.length === 0 || part.parts.some(isLost)
    : part.type === "Literal" && lostNode.test(part.value);
}

/** Writes a declaration as several lines. The exit code of a substitution must not become the exit code of the declaration, hence `|| :`. */
function inSteps([name = "", ...args]: readonly string[]): string {
  const flags = args.filter((arg) => /^[-+][A-Za-z]+$/.test(arg));
  const given = args.filter((arg) => !flags.includes(arg));
  const names = given.map((arg) => listStart.exec(arg)?.[1] ?? arg);
  const isMap = flags.some((flag) => /^-.*A/.test(flag));
  const assigned = given.filter((arg) => listStart.test(arg)).flatMap((arg) => (isMap ? entriesOf(arg) : [arg]));
  const steps = assigned.map((assignment) => `${assignment} || :`);
  // Programs don't see lists, and just-bash would empty an exported one.
  const others = given.filter((arg) => !listStart.test(arg));
  if (name === "export") return [...steps, others.length === 0 ? ":" : [name, ...flags, ...others].join(" ")].join("\n");
  if (later.has(name) && !isMap) return [...steps, [name, ...flags, ...names].join(" ")].join("\n");
  const ownFlags = flags.map((flag) => (flag.startsWith("-") ? flag.replaceAll("r", "") : flag)).filter((flag) => flag !== "-");
  const isReadonly = name === "readonly" || flags.some((flag) => /^-.*r/.test(flag));
  const lists = given.flatMap((arg) => listStart.exec(arg)?.[1] ?? []);
  // A map that `local` declares would stay after the function.
  const declared = [
    isMap ? "declare" : name,
    ...(isMap || ownFlags.some((flag) => flag.includes("a")) ? [] : ["-a"]),
    ...ownFlags,
    ...names,
  ].join(" ");
  return [declared, ...steps, ...(isReadonly ? [`readonly ${lists.join(" ")}`] : [])].join("\n");
}

/** Splits `map=([key]=value …)` into entries. */
function entriesOf(list: string): readonly string[] {
  const [start = "", name = ""] = listStart.exec(list) ?? [];
  return (commandsIn(list.slice(start.length, -1))?.[0] ?? []).map((entry) => `${name}${entry}`);
}

/** The words of each command of a statement, as written; null: a quote or a parenthesis is open. Of compound commands, supports `( … )` only. */
function commandsIn(text: string): readonly (readonly string[])[] | null {
  const commands: string[][] = [[]];
  /** The characters that close the open quotes and parentheses, the innermost last. */
  const open: string[] = [];
  let start: number | null = null;
  const endWord = (at: number): void => {
    if (start !== null) commands.at(-1)?.push(text.slice(start, at));
    start = null;
  };
  for (let at = 0; at < text.length; at++) {
    const [character = "", end] = [text[at], open.at(-1)];
    const operator = end === undefined && text[at - 1] !== ">" ? /^(?:&&|\|\|?)/.exec(text.slice(at, at + 2))?.[0] : undefined;
    if (operator !== undefined || (end === undefined && /[ \t\n]/.test(character))) {
      endWord(at);
      if (operator === undefined) continue;
      commands.push([]);
      at += operator.length - 1;
      continue;
    }
    start ??= at;
    if (character === "\\" && end !== "'") at += 1;
    else if (character === end || (end === "$'" && character === "'")) open.pop();
    else if (end === "'" || end === "$'") continue;
    else if (character === "'" && end !== '"') open.push(text[at - 1] === "$" ? "$'" : "'");
    else if (character === '"' || character === "`") open.push(character);
    else if (character === "(" && (end !== '"' || text[at - 1] === "$")) open.push(")");
    else if (character === "{" && text[at - 1] === "$") open.push("}");
  }
  endWord(text.length);
  return open.length > 0 ? null : commands.map((words) => (words[0] === "!" ? words.slice(1) : words));
}
