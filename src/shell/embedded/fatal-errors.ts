import type { Interpreter } from "./running-script.ts";
import { isNode, type Statement } from "./script-nodes.ts";
import { isOutput, type Output } from "./traps.ts";

/** Builtins that run a script in the same shell. */
export const runsScript = new Set<unknown>(["eval", "source", "."]);
/** just-bash's message about a text that it can't parse. */
const unread = /^[^\n]*: (?:Parse error at |(?:line \d+: )?(?:syntax error|unexpected EOF)\b)/;

/** Wraps a call of a command by name: a text that can't be parsed gives exit code 2, as in bash. */
export function aroundEval(name: unknown, run: () => Promise<unknown>): Promise<unknown> {
  return runsScript.has(name) ? withParseCode(run) : run();
}

async function withParseCode(run: () => Promise<unknown>): Promise<unknown> {
  const result = await run();
  return isOutput(result) && unread.test(result.stderr) ? { ...result, exitCode: 2 } : result;
}

/**
 * just-bash ends a shell that sets a readonly variable. In bash, a command that would set one fails, and an assignment abandons the rest of its line,
 * even if it is inside a function: the script continues with its next line. Under `set -e` and in a subshell, the shell ends.
 */

/** Errors that a statement has already thrown. */
const known = new WeakSet<object>();
/** The scripts that an interpreter is in, the innermost last. */
const scripts = new WeakMap<Interpreter, object[]>();
/** The line that each interpreter abandons after an error. */
const givenUp = new WeakMap<Interpreter, number>();

type Failed = Output & { readonly exitCode: number };

function isReadonly(error: unknown): error is Error & Output {
  return error instanceof Error && error.name === "ExitError" && isOutput(error) && error.stderr.endsWith(": readonly variable\n");
}

/** Wraps a script. `isShell`: it is a subshell or a substitution. */
export async function inScript(interpreter: Interpreter, script: object, isShell: boolean, run: () => Promise<unknown>): Promise<unknown> {
  const all = scripts.get(interpreter) ?? [];
  scripts.set(interpreter, all);
  all.push(isShell ? noScript : script);
  try {
    return await run();
  } finally {
    all.pop();
    givenUp.delete(interpreter);
  }
}

const noScript = {};

/** The result of a statement on an abandoned line. Null if the statement should run. */
export function givenUpStatement(interpreter: Interpreter, node: unknown): Failed | null {
  const line = givenUp.get(interpreter);
  if (line === undefined || !isDirect(interpreter, node)) return null;
  if (lineOf(node) === line) return { stdout: "", stderr: "", exitCode: 1 };
  givenUp.delete(interpreter);
  return null;
}

/** The result of a statement that threw this error. Null if the error should be thrown. */
export function failedStatement(interpreter: Interpreter, node: unknown, error: unknown): Failed | null {
  if (!isReadonly(error)) return null;
  const options: unknown = Reflect.get(interpreter.ctx.state, "options");
  if (isNode(options) && (options["errexit"] === true || options["posix"] === true)) return null;
  const failed = { stdout: error.stdout, stderr: error.stderr, exitCode: 1 };
  const isFirst = !known.has(error);
  known.add(error);
  if (isFirst && isCall(node)) return failed;
  if (!isDirect(interpreter, node)) return null;
  givenUp.set(interpreter, lineOf(node) ?? 0);
  return failed;
}

/** Whether the statement is a single command with a name, not only an assignment. */
function isCall(node: unknown): boolean {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what just-bash runs as a statement.
  const [pipeline, another] = (node as Statement).pipelines;
  const [command, next] = pipeline?.commands ?? [];
  return another === undefined && next === undefined && command?.type === "SimpleCommand" && command.name !== null;
}

function isDirect(interpreter: Interpreter, node: unknown): boolean {
  const statements: unknown = Reflect.get(scripts.get(interpreter)?.at(-1) ?? noScript, "statements");
  return Array.isArray(statements) && statements.includes(node);
}

/** The line of the first command in a node. */
export function lineOf(node: unknown): number | null {
  if (!isNode(node)) return null;
  if (typeof node["line"] === "number") return node["line"];
  for (const child of Object.values(node)) {
    const line = lineOf(child);
    if (line !== null) return line;
  }
  return null;
}
