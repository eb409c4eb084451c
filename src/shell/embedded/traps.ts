import type { CallResult } from "./interpreter.ts";
import type { Interpreter } from "./running-script.ts";
import { fromBytes, toBytes } from "./encoding.ts";
import { type Script, trapVariable } from "./script.ts";

/** Runs a script in an interpreter that is in one already: with its variables, arrays and functions. */
export type RunScript = (interpreter: Interpreter, script: Script) => Promise<CallResult>;

/**
 * Runs a shell to its end, and its EXIT trap then: at the end of a command, of a script or `bash -c`, of a subshell and of a substitution. A shell
 * inherits no trap. The trap sees `$?`; the exit code stays unless the trap exits with another. What stops a script from outside runs no trap.
 */
export async function withExitTrap(interpreter: Interpreter, runScript: RunScript, run: () => Promise<unknown>): Promise<unknown> {
  const variables = variablesOf(interpreter);
  const outer = variables.get(trapVariable);
  variables.delete(trapVariable);
  try {
    return await withOwnTrap(interpreter, runScript, run);
  } finally {
    // Some shells have the variables of the one around them.
    if (outer !== undefined) variables.set(trapVariable, outer);
  }
}

async function withOwnTrap(interpreter: Interpreter, runScript: RunScript, run: () => Promise<unknown>): Promise<unknown> {
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    const code = endingCode(error);
    if (code === null || !isResult(error)) throw error;
    const said = await runTrap(interpreter, runScript, code);
    if (said === null) throw error;
    append(error, said);
    if (Reflect.has(error, "exitCode")) Reflect.set(error, "exitCode", said.exitCode);
    throw error;
  }
  if (!isResult(result)) return result;
  const said = await runTrap(interpreter, runScript, result.exitCode);
  if (said === null) return result;
  const ended = { ...result, exitCode: said.exitCode };
  append(ended, said);
  return ended;
}

/** `trap` keeps its handler in a variable of the shell that it is called in, so each shell has its own. */
async function runTrap(interpreter: Interpreter, runScript: RunScript, code: number): Promise<CallResult | null> {
  const variables = variablesOf(interpreter);
  const handler = variables.get(trapVariable);
  variables.delete(trapVariable);
  if (handler === undefined || handler === "") return null;
  Reflect.set(interpreter.ctx.state, "lastExitCode", code);
  variables.set("?", String(code));
  try {
    return { ...(await runScript(interpreter, evaluating(handler))), exitCode: code };
  } catch (error) {
    const own = endingCode(error);
    if (own === null || !isResult(error)) throw error;
    return { stdout: error.stdout, stderr: error.stderr, exitCode: own };
  }
}

/** `eval 'handler'` */
function evaluating(handler: string): Script {
  const word = (value: string) => ({ type: "Word" as const, parts: [{ type: "SingleQuoted" as const, value }] });
  const name = { type: "Word" as const, parts: [{ type: "Literal" as const, value: "eval" }] };
  const command = { type: "SimpleCommand" as const, assignments: [], name, args: [word(handler)], redirections: [] };
  const pipeline = { type: "Pipeline" as const, commands: [command], negated: false };
  return { type: "Script", statements: [{ type: "Statement", pipelines: [pipeline], operators: [], background: false }] };
}

/** The exit code with which an error of just-bash ends a shell; null: another error. */
function endingCode(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if (error.name === "NounsetError") return 1;
  if (!["ExitError", "ErrexitError", "PosixFatalError"].includes(error.name)) return null;
  const code: unknown = Reflect.get(error, "exitCode");
  return typeof code === "number" ? code : null;
}

function isResult(value: unknown): value is { stdout: string; stderr: string; exitCode: number } {
  return typeof value === "object" && value !== null && "stdout" in value && "stderr" in value;
}

const isBytes = (result: object): boolean =>
  Reflect.get(result, "stdoutKind") === "bytes" || Reflect.get(result, "stdoutEncoding") === "binary";

function append(result: { stdout: string; stderr: string }, said: CallResult): void {
  result.stderr += said.stderr;
  if (said.stdout === "") return;
  const asBytes = (part: { readonly stdout: string }): string =>
    isBytes(part) ? part.stdout : fromBytes(toBytes(part.stdout, undefined), "latin1");
  if (isBytes(result) === isBytes(said)) result.stdout += said.stdout;
  else Object.assign(result, { stdout: asBytes(result) + asBytes(said), stdoutKind: "bytes", stdoutEncoding: "binary" });
}

function variablesOf({ ctx: { state } }: Interpreter): Map<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return variables;
}
