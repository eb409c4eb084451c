import { makeExact } from "./arithmetic-calls.ts";
import { readArithmetic } from "./arithmetic-commands.ts";
import { withArithmetic } from "./arithmetic-words.ts";
import { noteFunction } from "./exported-functions.ts";
import { noteStackVariables } from "./call-stack.ts";
import { noteCommandVariable } from "./trap-context.ts";
import { spellOutLists } from "./declared-lists.ts";
import { countLines } from "./line-offsets.ts";
import { noteSubstitutions } from "./substitution-errors.ts";
import { noteEarlyValues } from "./early-values.ts";
import { noteComparisons } from "./exact-tests.ts";
import { wordsFirst } from "./temporary-assignments.ts";
import { readByteEscapes } from "./byte-escapes.ts";
import { readInputFiles } from "./input-file.ts";
import { noteSavedStreams } from "./saved-streams.ts";
import { noteTimeVariables } from "./time-variables.ts";
import { readKey } from "./subscripts.ts";
import { selectLoop } from "./select-loop.ts";
import { widen } from "./wide-numbers.ts";
import { noteKey } from "./map-keys.ts";
import { declaringMaps } from "./map-literals.ts";
import { noteAssignments } from "./plain-assignments.ts";
import { readPatterns } from "./patterns.ts";
import { isGivenParameters, isQuotedDefault } from "./quoted-defaults.ts";
import {
  type Command,
  type For,
  type FunctionDef,
  isNode,
  literal,
  parameter,
  type Part,
  type Pipeline,
  type Script,
  type Simple,
  single,
  type Statement,
  word,
  type Word,
} from "./script-nodes.ts";

/** The command that starts a job, the one that waits for jobs, and the variable that replaces `$!`. */
export const jobCommand = "__vibey_job";
export const waitCommand = "__vibey_wait";
export const jobVariable = "__vibey_last_job";
/** Ends with the exit code of a pipe into `tee`, given the code of what precedes `tee`. */
export const teedCommand = "__vibey_teed";
/**
 * Runs its operands except the first: a computed name may expand to several words, or to none. The first operand says whether, with no words, the
 * exit code is that of the last substitution ("1") or 0 ("0"); with a "p" it is part of a pipe.
 */
export const computedCommand = "__vibey_computed";
/** Receives the names of the files that a job's command has open. */
export const openCommand = "__vibey_open";
/**
 * Prints an empty line, and then those of its operands after the first that are folders, one per line with a trailing slash. If there is no folder,
 * it prints the first operand. The name is also the prefix of the arrays into which they are read.
 */
export const foldersCommand = "__vibey_folders";

/** Other names of a command's own streams. */
const streams = new Map<string, string>(
  ["/dev/stdin", "/dev/stdout", "/dev/stderr"].flatMap((name, fd) => [
    [`/dev/fd/${fd}`, name] as const,
    [`/proc/self/fd/${fd}`, name] as const,
  ]),
);

/** The bodies of subshells and substitutions, which end as separate shells. */
const ownShells = new WeakSet<object>();

export function isOwnShell(node: object): boolean {
  return ownShells.has(node);
}

/** The scripts of `<(…)`. */
const inputs = new WeakSet<object>();

export function isInput(node: unknown): boolean {
  return isNode(node) && inputs.has(node);
}

/** The scripts of `$(…)`. */
const substitutions = new WeakSet<object>();

export function isSubstitution(node: unknown): boolean {
  return isNode(node) && substitutions.has(node);
}

/** The subshells that are the only content of a job, and have the job's number. */
const jobShells = new WeakSet<object>();

export function isJobShell(node: object): boolean {
  return jobShells.has(node);
}

export interface Rewritten {
  /** The statements before each `&`. */
  readonly jobs: readonly Statement[];
  /** Names of the functions defined so far, at any depth. */
  readonly functions: ReadonlySet<string>;
  /** Whether the last part of a pipe may run without a subshell. */
  readonly lastStays: boolean;
}

/** The state after the earlier scripts. */
export type Before = Pick<Rewritten, "functions" | "lastStays">;

/**
 * just-bash runs `command &` to its end before it continues. This replaces each such statement by a call of `jobCommand` with its number, `wait` by a
 * call of `waitCommand`, `$!` by a variable, a part of a pipe by a subshell, and a pattern that ends in a slash by a call of `foldersCommand`;
 * `exec command` ends the script. Changes the script in place.
 */
export function rewrite(script: Script, firstJob: number, before: Before): Rewritten {
  const jobs: Statement[] = [];
  const functions = new Set([...before.functions, ...definedIn(script)]);
  const lastStays = before.lastStays || asksForLastpipe(script);
  const lines = countLines(script);
  /** Expressions whose values are put into words. */
  const texts = new WeakSet<object>();

  /** Puts each part of a pipe into a subshell, except the last one under `lastpipe`. */
  function ownShellsOf(commands: readonly Command[]): Command[] {
    return commands.map((command, i) => {
      const stays = command.type === "Subshell" || changesNothing(command, functions) || (lastStays && i === commands.length - 1);
      if (stays && command.type === "SimpleCommand" && !(lastStays && i === commands.length - 1)) piped.add(command);
      if (stays) return command;
      const own: Command = { type: "Subshell", body: [single(command)], redirections: [] };
      asWritten.set(own, command);
      return own;
    });
  }

  function readAgain(node: Record<string, unknown>): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
    const given = node as unknown as Statement;
    noteFunction(given);
    readArithmetic(given);
    const list = spellOutLists(given);
    if (list === null) return;
    const why = `bash: ${list}=(...) with $(...) in a declaration is not supported here; write ${list}=(...) on its own`;
    node["pipelines"] = single(refusing(why)).pipelines;
  }

  function visit(node: unknown): void {
    if (Array.isArray(node)) {
      for (const [i, given] of node.entries()) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
        const first = isNode(given) && given["type"] === "SimpleCommand" ? wordsFirst(given as unknown as Simple) : null;
        const child: unknown = first ?? given;
        if (first !== null) node[i] = first;
        visit(child);
        if (isNode(child) && (child["type"] === "SimpleCommand" || child["type"] === "For")) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of one of these types.
          node[i] = withFolders(child as unknown as Simple | For);
        }
        if (isNode(child) && child["type"] === "SimpleCommand" && !functions.has(literal(child["name"]) ?? "")) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
          const group = declaringMaps(child as unknown as Simple);
          if (group !== null) node[i] = group;
        }
        if (isNode(child) && child["type"] === "While") {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
          node[i] = selectLoop(child as unknown as Parameters<typeof selectLoop>[0], allParameters()) ?? child;
        }
        const isExec = isNode(child) && child["type"] === "SimpleCommand" && literal(child["name"]) === "exec";
        if (node[i] === child && isNode(child) && !isExec && withNumbers.has(String(child["type"]))) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of one of these types.
          node[i] = withArithmetic(child as unknown as Parameters<typeof withArithmetic>[0]);
        }
        if (isExec) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
          node[i] = replacing(child as unknown as Simple);
        }
        if (isNode(child) && child["type"] === "Statement" && child["background"] === true) {
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
          jobs.push(inItsShell({ ...(child as unknown as Statement), background: false }));
          node[i] = statement(jobCommand, word(String(firstJob + jobs.length - 1)));
        }
      }
      return;
    }
    if (!isNode(node)) return;
    const leave = lines.enter(node);
    noteTimeVariables(node);
    noteCommandVariable(node);
    noteStackVariables(node);
    noteSubstitutions(node);
    readInputFiles(node);
    noteSavedStreams(node);
    readPatterns(node);
    readKey(node);
    noteKey(node);
    noteComparisons(node);
    noteEarlyValues(node);
    noteAssignments(node);
    if (node["type"] === "Statement") readAgain(node);
    const { body, commands } = node;
    if (node["type"] === "Pipeline" && Array.isArray(commands) && commands.length > 1) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
      joinPiped(node as unknown as Pipeline);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own nodes of a pipe.
      node["commands"] = ownShellsOf(commands as Command[]);
    }
    if (node["type"] === "Subshell" && Array.isArray(body)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parser's own node of that type.
      const group: Command = { type: "Group", body: body as Statement[], redirections: [] };
      ownShells.add(group);
      node["body"] = [single(group)];
    }
    if ((node["type"] === "CommandSubstitution" || node["type"] === "ProcessSubstitution") && isNode(body)) ownShells.add(body);
    if (node["type"] === "CommandSubstitution" && isNode(body)) substitutions.add(body);
    if (node["type"] === "ProcessSubstitution" && node["direction"] === "input" && isNode(body)) inputs.add(body);
    if (node["type"] === "ParameterExpansion" && node["parameter"] === "!") node["parameter"] = jobVariable;
    if (node["type"] === "ParameterExpansion") nameUnset(node);
    if (node["type"] === "ParameterExpansion") countParameters(node);
    if (node["type"] === "ParameterExpansion") changeCaseOfEach(node);
    const stream = node["type"] === "Redirection" ? streams.get(literal(node["target"]) ?? "") : undefined;
    if (stream !== undefined) node["target"] = word(stream);
    if (node["type"] === "ArithBracedExpansion" && node["content"] === "!") node["content"] = jobVariable;
    if (node["type"] === "ArithBracedExpansion" && /^#[@*]$/.test(String(node["content"])))
      Object.assign(node, { type: "ArithSpecialVar", name: "#" });
    if (node["type"] === "ArithSpecialVar" && node["name"] === "!") node["name"] = jobVariable;
    if (node["type"] === "SimpleCommand" && literal(node["name"]) === "wait" && !functions.has("wait")) node["name"] = word(waitCommand);
    // just-bash treats the expansion of a name as one word.
    if (node["type"] === "SimpleCommand" && isComputed(node["name"]) && Array.isArray(node["args"])) {
      const words = [node["name"], ...node["args"]];
      node["args"] = [word(`${words.some(hasSubstitution) ? "1" : "0"}${piped.has(node) ? "p" : ""}`), ...words];
      node["name"] = word(computedCommand);
    }
    // Under `set -u` just-bash takes the variable of `"${name:-default}"` for unset, unless the word has another part.
    if (node["type"] === "Word" && Array.isArray(node["parts"]) && isQuotedDefault(node["parts"]))
      node["parts"].push({ type: "SingleQuoted", value: "" });
    if (node["type"] === "Word" && Array.isArray(node["parts"]) && isGivenParameters(node["parts"])) node["parts"] = allParameters().parts;
    if (node["type"] === "ArithmeticExpansion" && isNode(node["expression"])) texts.add(node["expression"]);
    for (const child of Object.values(node)) visit(child);
    leave?.();
    if (node["type"] === "ArithmeticExpression" && !makeExact(node, texts.has(node))) widen(node);
    // just-bash splits the words of `for x; do` again.
    if (node["type"] === "For" && node["words"] === null) node["words"] = [allParameters()];
  }

  for (const each of script.statements) readByteEscapes(each);
  visit(script.statements);
  return { jobs, functions, lastStays };
}

/** Adds the name to the message of `${name:?why}`, which just-bash leaves out, and the message of `${name:?}`. */
function nameUnset({ parameter: name, operation }: Record<string, unknown>): void {
  if (!isNode(operation) || operation["type"] !== "ErrorIfUnset") return;
  const why = operation["word"];
  if (isNode(why) && Array.isArray(why["parts"]) && why["parts"].length > 0 && literal(why) !== "")
    why["parts"].unshift({ type: "Literal", value: `${String(name)}: ` });
  else operation["word"] = word(`${String(name)}: parameter ${operation["checkEmpty"] === false ? "" : "null or "}not set`);
}

/** Turns `a |& b` into `a 2>&1 | b`. */
function joinPiped({ commands, pipeStderr = [] }: Pipeline): void {
  for (const [i, command] of commands.entries()) {
    if (pipeStderr[i] !== true || command.type === "FunctionDef") continue;
    command.redirections.push({ type: "Redirection", fd: 2, operator: ">&", target: word("1") });
    pipeStderr[i] = false;
  }
}

/** Names of all functions that a script defines, at any depth. */
function definedIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(definedIn);
  if (!isNode(node)) return [];
  const inside = Object.values(node).flatMap(definedIn);
  return node["type"] === "FunctionDef" ? [String(node["name"]), ...inside] : inside;
}

function asksForLastpipe(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(asksForLastpipe);
  if (!isNode(node)) return false;
  if (node["type"] === "SimpleCommand" && literal(node["name"]) === "shopt" && Array.isArray(node["args"]))
    return node["args"].some((arg) => literal(arg) === "lastpipe");
  return Object.values(node).some(asksForLastpipe);
}

/** Commands that change the shell itself. A program needs no subshell, and keeps its bytes without one. */
const changing = new Set(
  (
    ". : alias break builtin cd command continue declare enable eval exec exit export getopts hash let local mapfile popd pushd read readarray " +
    "readonly return set shift shopt source test times trap type typeset ulimit umask unalias unset wait"
  ).split(" "),
);

function changesNothing(command: Command, functions: ReadonlySet<string>): boolean {
  if (command.type !== "SimpleCommand" || command.name === null || command.redirections.some(({ fdVariable }) => fdVariable !== undefined))
    return false;
  const name = literal(command.name);
  if (name === "printf") return literal(command.args[0]) !== "-v" && !functions.has(name);
  // The expansion of a computed name is only known when it runs: see `ownShellOf`.
  return name === null || (!changesShell(name) && !functions.has(name));
}

export function changesShell(name: string): boolean {
  return changing.has(name);
}

/** A call in a subshell. */
export function ownShellOf(name: string, args: readonly string[]): Command {
  const quoted = (value: string): Word => ({ type: "Word", parts: [{ type: "SingleQuoted", value }] });
  const call: Simple = { type: "SimpleCommand", assignments: [], name: quoted(name), args: args.map(quoted), redirections: [] };
  const group: Command = { type: "Group", body: [single(call)], redirections: [] };
  ownShells.add(group);
  return { type: "Subshell", body: [single(group)], redirections: [] };
}

/** Simple commands in pipes that were not put into subshells. If such a name is computed, what the command changes is only known when it runs. */
const piped = new WeakSet<object>();

/** Parts of pipes that were put into subshells, by the subshell. */
const asWritten = new WeakMap<object, Command>();

/** A part of a pipe as it was written. */
export function partOf(command: Command): Command {
  return asWritten.get(command) ?? command;
}

/**
 * just-bash ignores the slash at the end of a pattern, which should match folders only. The matches are read into an array before the command, so
 * that names with blanks stay whole.
 */
function withFolders(command: Simple | For): Command {
  const words =
    command.type === "For" ? (command.words ?? []) : [...command.args, ...command.assignments.flatMap(({ array }) => array ?? [])];
  const reads: Statement[] = [];
  for (const each of words) {
    const pattern = folderPattern(each);
    if (pattern === null) continue;
    const array = `${foldersCommand}_${reads.length}`;
    const body: Script = { type: "Script", statements: [statement(foldersCommand, asItIs(each), pattern)] };
    const found: Word = { type: "Word", parts: [{ type: "DoubleQuoted", parts: [{ type: "CommandSubstitution", body, legacy: false }] }] };
    const read: Simple = {
      type: "SimpleCommand",
      assignments: [],
      name: word("mapfile"),
      args: [word("-t"), word("-s"), word("1"), word(array)],
      redirections: [{ type: "Redirection", fd: null, operator: "<<<", target: found }],
    };
    reads.push(single(read));
    each.parts = [{ type: "DoubleQuoted", parts: [parameter(`${array}[@]`)] }];
  }
  return reads.length === 0 ? command : { type: "Group", body: [...reads, single(command)], redirections: [] };
}

/** The pattern without its slash; null: it does not end in one. */
function folderPattern(given: Word): Word | null {
  const last = given.parts.at(-1);
  if (!given.parts.some((part) => part.type === "Glob") || !given.parts.every(isPlain)) return null;
  const text = last?.type === "Glob" ? last.pattern : last?.type === "Literal" ? last.value : "";
  if (last === undefined || !text.endsWith("/")) return null;
  const bare = text.slice(0, -1);
  const kept = bare === "" ? [] : [last.type === "Glob" ? { ...last, pattern: bare } : { type: "Literal" as const, value: bare }];
  return { type: "Word", parts: [...given.parts.slice(0, -1), ...kept] };
}

/** Whether expanding the part has no side effects. */
function isPlain(part: Part): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(isPlain);
  return ["Glob", "Literal", "SingleQuoted", "Escaped", "ParameterExpansion"].includes(part.type);
}

/** The literal text that a pattern stands for if nothing matches. */
function asItIs({ parts }: Word): Word {
  return {
    type: "Word",
    parts: parts.map((part): Part => {
      if (part.type === "Glob") return { type: "SingleQuoted", value: part.pattern };
      return part.type === "ParameterExpansion" ? { type: "DoubleQuoted", parts: [part] } : part;
    }),
  };
}

/** Records that the subshell of `( … ) &` is the job's own shell. Its body was put into a group before. */
function inItsShell(job: Statement): Statement {
  const [pipeline, another] = job.pipelines;
  const [command, more] = pipeline?.commands ?? [];
  const body =
    another === undefined && more === undefined && command?.type === "Subshell" ? command.body[0]?.pipelines[0]?.commands[0] : undefined;
  if (body !== undefined) jobShells.add(body);
  return job;
}

/** Commands whose arithmetic is evaluated before they run. */
const withNumbers = new Set(["SimpleCommand", "For", "ArithmeticCommand", "ConditionalCommand"]);

/** `${#@}` and `${#*}`: just-bash would count the characters of all parameters. */
function countParameters(node: Record<string, unknown>): void {
  const { parameter: name, operation } = node;
  if ((name === "@" || name === "*") && isNode(operation) && operation["type"] === "Length")
    Object.assign(node, { parameter: "#", operation: null });
}

/** Writes `"${list[@]^^}"` as `"${list[@]@U}"`, which just-bash does not take for one word. */
function changeCaseOfEach(node: Record<string, unknown>): void {
  const { parameter: name, operation } = node;
  if (!/^@$|\[@\]$/.test(String(name)) || !isNode(operation) || operation["type"] !== "CaseModification" || operation["pattern"] !== null)
    return;
  const isUpper = operation["direction"] === "upper";
  if (isUpper || operation["all"] === true)
    node["operation"] = { type: "Transform", operator: isUpper ? (operation["all"] === true ? "U" : "u") : "L" };
}

/** Whether a name may expand to any number of words. */
function isComputed(name: unknown): boolean {
  if (!isNode(name) || !Array.isArray(name["parts"])) return false;
  return name["parts"].some((part: unknown): boolean => {
    if (!isNode(part)) return false;
    return part["type"] === "DoubleQuoted" ? isComputed(part) : !["Literal", "SingleQuoted", "Escaped"].includes(String(part["type"]));
  });
}

function hasSubstitution(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(hasSubstitution);
  return isNode(node) && (node["type"] === "CommandSubstitution" || Object.values(node).some(hasSubstitution));
}

function statement(name: string, ...args: Word[]): Statement {
  const command: Simple = { type: "SimpleCommand", assignments: [], name: word(name), args, redirections: [] };
  return single(command);
}

/** `exec command`, after which just-bash would continue. Without a command, `exec` redirects the script's own output, and the script continues. */
function replacing(given: Simple): Command {
  // Programs don't check the name that `-a` gives them.
  const isNamed = given.args[0] !== undefined && literal(given.args[0]) === "-a";
  const hasEnd = given.args.length > 1 && literal(given.args[0]) === "--";
  const exec = isNamed || hasEnd ? { ...given, args: given.args.slice(isNamed ? 2 : 1) } : given;
  const [first, second] = exec.args;
  if (exec.redirections.some(({ target }) => target.type === "Word" && target.parts.some(isOutputOfShell))) return refusing(intoProcess);
  if (first === undefined || (second === undefined && literal(first) === "--")) return exec;
  const exit: Simple = { type: "SimpleCommand", assignments: [], name: word("exit"), args: [], redirections: [] };
  // The program replaces the shell: no trap runs, unless there is no such program.
  const untrap = statement("trap", word("-"), word("EXIT"));
  const body = [first.parts.every(isPlain) ? ifThere(first, untrap) : untrap, single(exec), single(exit)];
  if (second !== undefined || !isAllParameters(first)) return { type: "Group", body, redirections: [] };
  const anyParameter: Simple = {
    type: "SimpleCommand",
    assignments: [],
    name: word("test"),
    args: [{ type: "Word", parts: [parameter("#")] }, word("-gt"), word("0")],
    redirections: [],
  };
  return { type: "If", clauses: [{ condition: [single(anyParameter)], body }], elseBody: [single(exec)], redirections: [] };
}

/** Whether this is `>(…)`. */
function isOutputOfShell(part: Part): boolean {
  return part.type === "ProcessSubstitution" && part.direction === "output";
}

/** Output that goes into a `>(…)` from here on would be lost. */
const intoProcess = "bash: exec: output into >(...) is not supported here; put the commands into { ...; } | tee file";

function refusing(why: string): Command {
  const say: Simple = {
    type: "SimpleCommand",
    assignments: [],
    name: word("echo"),
    args: [word(why)],
    redirections: [{ type: "Redirection", fd: 1, operator: ">&", target: word("2") }],
  };
  return { type: "Group", body: [single(say), statement("false")], redirections: [] };
}

/** Builds `command -v name > /dev/null && …`. */
function ifThere(name: Word, then: Statement): Statement {
  const redirections: Simple["redirections"] = [{ type: "Redirection", fd: null, operator: ">", target: word("/dev/null") }];
  const look: Simple = {
    type: "SimpleCommand",
    assignments: [],
    name: word("command"),
    args: [word("-v"), word("--"), name],
    redirections,
  };
  return { ...then, pipelines: [...single(look).pipelines, ...then.pipelines], operators: ["&&"] };
}

/** Builds `"$@"`. */
function allParameters(): Word {
  return { type: "Word", parts: [{ type: "DoubleQuoted", parts: [parameter("@")] }] };
}

function isAllParameters({ parts: [part, more] }: Word): boolean {
  if (part?.type !== "DoubleQuoted" || more !== undefined) return false;
  const [inner, another] = part.parts;
  return another === undefined && inner?.type === "ParameterExpansion" && inner.parameter === "@" && inner.operation === null;
}

/** The statement that defines a function. */
export function defining(definition: FunctionDef): Statement {
  return single(definition);
}
