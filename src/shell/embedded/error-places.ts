import { callsInFunctions } from "./call-stack.ts";
import type { Interpreter } from "./running-script.ts";
import { isNode, literal } from "./script-nodes.ts";
import { isOutput } from "./traps.ts";

/**
 * The shell's messages about a script begin with the script's name and the line, as in bash: `build.sh: line 3: cd: …`. In just-bash all of them
 * begin with `bash: `. Messages about typed commands stay so, because typed commands have no name.
 */

/** The names (`$0`) of the programs that `bash` runs, by the state of the interpreter. */
const programs = new WeakMap<object, string>();

/** Called for an interpreter that runs its own script. */
export function beginProgram(state: object): void {
  const variables: unknown = Reflect.get(state, "env");
  programs.set(state, variables instanceof Map ? String(variables.get("0") ?? "bash") : "bash");
}

/** Called for a job, with the state of the shell that started it. */
export function inheritProgram(from: object, into: object): void {
  const name = programs.get(from);
  if (name !== undefined) programs.set(into, name);
}

/** just-bash's source name for functions that come from no file. */
const noFile = "main";

/** `name: line 3: `. Null: the interpreter runs a typed command. */
export function placeOf({ ctx: { state } }: Interpreter, line: unknown): string | null {
  const sources: unknown = Reflect.get(state, "sourceStack");
  const source: unknown = Array.isArray(sources) ? sources[0] : undefined;
  const program = programs.get(state);
  const isFile = typeof source === "string" && source !== noFile;
  if (!isFile && program === undefined) return null;
  const name = isFile ? source : callsInFunctions(state) ? "environment" : program;
  return `${name}: line ${Number(line ?? Reflect.get(state, "currentLine"))}: `;
}

/** Builtins, whose messages are messages of the shell. */
const own = new Set(
  (
    ". : [ alias bg break builtin caller cd command continue declare dirs disown enable eval exec exit export false fg getopts hash jobs kill let local " +
    "mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias " +
    "unset wait __vibey_wait"
  ).split(" "),
);

/** just-bash's messages that begin with the builtin's name, and not with `bash: `. */
const withoutName = /^(?:\[|alias|printf|shopt|test|unalias): /;

const message = /^bash: (?!line \d)/gm;

/** Puts the place into the messages from the call of a command by name. `place`: see `placeOf`. */
export async function placeCall(place: string, name: string, work: Promise<unknown>): Promise<unknown> {
  const result = await work;
  if (!isOutput(result) || result.stderr === "") return result;
  if (own.has(name) && withoutName.test(result.stderr))
    return { ...result, stderr: place + result.stderr, internalOutputAccounting: undefined };
  if (!result.stderr.includes("bash: ")) return result;
  const isOwn = own.has(name);
  const exitCode: unknown = Reflect.get(result, "exitCode");
  if (!isOwn && exitCode !== 127 && exitCode !== 126) return result;
  // Errors of this builtin name only the script.
  if (name === "getopts")
    return {
      ...result,
      stderr: result.stderr.replaceAll(message, () => place.replace(/line \d+: $/, "")),
      internalOutputAccounting: undefined,
    };
  // The messages of a script inside the command already have their places.
  const stderr = isOwn
    ? result.stderr.replaceAll(runsOthers.has(name) ? ofWords : message, () => place)
    : result.stderr.replace(`bash: ${name}: `, () => `${place}${name}: `);
  return { ...result, stderr, internalOutputAccounting: undefined };
}

/** The builtins that run other commands. */
const runsOthers = new Set([".", "builtin", "command", "eval", "exec", "source"]);

/** The shell's messages about words, redirections and assignments. */
const ofWords =
  /^bash: (?!line \d)(?=.*(?:No such file or directory|Is a directory|Permission denied|ambiguous redirect|cannot overwrite existing file|Bad file descriptor|readonly variable|bad substitution|unbound variable|bad array subscript|division by 0|syntax error|: command not found|not a shell builtin)|(?:arithmetic|conditional) expression: )/gm;

/** Errors whose messages already have their places. */
const placed = new WeakSet<object>();

/** Whether the interpreter may be running a script. */
export function isInScript({ ctx: { state } }: Interpreter): boolean {
  const sources: unknown = Reflect.get(state, "sourceStack");
  return programs.has(state) || (Array.isArray(sources) && sources.length > 0);
}

/** Puts the place into the messages of a command that don't come from its call, but from its words, redirections and assignments. */
export async function placeCommand(interpreter: Interpreter, node: object, work: () => Promise<unknown>): Promise<unknown> {
  try {
    const result = await work();
    if (!isOutput(result) || !result.stderr.includes("bash: ")) return result;
    const place = placeOf(interpreter, lineOf(node));
    if (place === null) return result;
    const stderr = withTargets(interpreter, node, plainly(result.stderr.replaceAll(ofWords, () => place)));
    return { ...result, stderr, internalOutputAccounting: undefined };
  } catch (error) {
    if (typeof error !== "object" || error === null || placed.has(error) || !isOutput(error)) throw error;
    placed.add(error);
    const place = error.stderr.includes("bash: ") ? placeOf(interpreter, lineOf(node)) : null;
    if (place !== null)
      Object.assign(error, {
        stderr: withTargets(interpreter, node, plainly(error.stderr.replaceAll(message, () => place))),
        internalOutputAccounting: { stdout: 0, stderr: 0 },
      });
    throw error;
  }
}

/** The line of a command. A group has the line of its first command. */
function lineOf(node: object): unknown {
  const line: unknown = Reflect.get(node, "line");
  const body: unknown = Reflect.get(node, "body");
  const statement: unknown = Array.isArray(body) ? body[0] : undefined;
  const pipeline: unknown = isNode(statement) && Array.isArray(statement["pipelines"]) ? statement["pipelines"][0] : undefined;
  const command: unknown = isNode(pipeline) && Array.isArray(pipeline["commands"]) ? pipeline["commands"][0] : undefined;
  return line ?? (isNode(command) ? lineOf(command) : undefined);
}

/** Names the targets of redirections as they are written. just-bash names them by their absolute paths. */
function withTargets({ ctx: { state } }: Interpreter, node: object, text: string): string {
  const redirections: unknown = Reflect.get(node, "redirections");
  if (!Array.isArray(redirections)) return text;
  const targets = redirections
    .map((redirection) => literal(Reflect.get(Object(redirection), "target")))
    .filter((target) => target !== null);
  return targets.reduce(
    (named, target) =>
      target.startsWith("/") ? named : named.replace(`: ${String(Reflect.get(state, "cwd"))}/${target}: `, () => `: ${target}: `),
    text,
  );
}

/** Replaces just-bash's names for `((…))`, `[[…]]` and positional parameters by bash's. */
function plainly(text: string): string {
  return text
    .replace(/: (\d+: unbound variable\n)$/, ": $$$1")
    .replaceAll(": arithmetic expression: ", ": ((: ")
    .replaceAll(": conditional expression: ", ": [[: ");
}

/** just-bash's messages about texts that it can't parse: from `bash`, from `eval`, and about a file. */
const unread = /^bash: (?:(syntax error)|(eval)|(.*?)): Parse error at (\d+):\d+: (.*)$/gm;

/** The parser's names for tokens that are not words. */
const tokens: Readonly<Record<string, string>> = {
  AND_AND: "&&",
  AMP: "&",
  DSEMI: ";;",
  LBRACE: "{",
  LPAREN: "(",
  NEWLINE: "newline",
  OR_OR: "||",
  PIPE: "|",
  RBRACE: "}",
  RPAREN: ")",
  SEMICOLON: ";",
};

/** The reason of a syntax error in bash's words. */
function plainReason(why: string): string {
  if (/^(?:unexpected EOF|syntax error)|bad substitution$/.test(why)) return why;
  const got = /^Expected .*, got (\w+)$/.exec(why)?.[1];
  if (got === "EOF") return "syntax error: unexpected end of file";
  return got === undefined ? `syntax error: ${why}` : `syntax error near unexpected token \`${tokens[got] ?? got.toLowerCase()}'`;
}

/** Rewrites syntax errors in bash's words. `called`: the program or file, if known. `name`: the script with an `eval` in its line `from`. */
export function plainSyntax(stderr: string, called: string | null, name = "bash", from = 1): string {
  return stderr.replaceAll(
    unread,
    (_all, isText: string | undefined, evaluated: string | undefined, file: string, line: string, why: string) => {
      const of = evaluated !== undefined ? `${name}: eval` : (called ?? (isText !== undefined ? "bash" : file));
      return `${of}: line ${Number(line) + (evaluated !== undefined ? from - 1 : 0)}: ${plainReason(why)}`;
    },
  );
}

/** The lexer's messages, which have the line in another form. */
const unended = /^bash: (?=line \d+: unexpected EOF)/gm;

/** Rewrites the syntax errors in the result of a command that runs a text. `called`: see `plainSyntax`. */
export function withSyntax(interpreter: Interpreter, called: string, result: unknown, from = 1): unknown {
  if (!isOutput(result) || !/Parse error at |unexpected EOF/.test(result.stderr)) return result;
  const name = placeOf(interpreter, 0)?.replace(/: line 0: $/, "") ?? "bash";
  return {
    ...result,
    stderr: plainSyntax(result.stderr, called, name, from).replaceAll(unended, `${called}: `),
    internalOutputAccounting: undefined,
  };
}
