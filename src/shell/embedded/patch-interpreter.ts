import { isExpansion } from "./temporary-assignments.ts";
import type { Interpreter } from "./running-script.ts";
import { withSavedPipe } from "./saved-streams.ts";

type Method = (this: Interpreter, ...args: readonly unknown[]) => unknown;

/**
 * just-bash counts bytes that come with a redirected message as if they were text, finds that it counted too many, and ends the command. `scope`: the
 * object of any shell that does the counting.
 */
export function patchAccounting(scope: object): void {
  const prototype: unknown = Reflect.getPrototypeOf(scope);
  if (typeof prototype !== "object" || prototype === null) throw new Error("just-bash counts its output elsewhere: was it updated?");
  const append = methodOf(prototype, "appendOutput");
  const patched: Method = function (...args) {
    const [, output, , counted, kind] = args;
    if (kind !== "bytes" || typeof output !== "string" || typeof counted !== "number" || counted <= output.length)
      return Reflect.apply(append, this, args);
    return Reflect.apply(append, this, args.toSpliced(3, 1, output.length));
  };
  Object.assign(prototype, { appendOutput: patched });
}

/**
 * If a command does not end within 100 ms of its script's signal, just-bash also ends all enclosing scripts and loses their output. With this patch
 * it ends only that script; the command can no longer reach its files either way.
 */
export function patchLateEnds(scope: object): void {
  const prototype: unknown = Reflect.getPrototypeOf(scope);
  if (typeof prototype !== "object" || prototype === null) throw new Error("just-bash keeps its limits elsewhere: was it updated?");
  methodOf(prototype, "poisonAfterAbort");
  Object.assign(prototype, { poisonAfterAbort: () => undefined });
}

/** just-bash silently passes only nine parameters to a script that is run by name or read with `source`. */
export function patchParameters(prototype: object): void {
  const executeUserScript = methodOf(prototype, "executeUserScript");
  const runCommand = methodOf(prototype, "runCommand");
  const executeScript = methodOf(prototype, "executeScript");
  /** The parameters of the script that the interpreter is about to run. */
  const coming = new WeakMap<Interpreter, readonly unknown[]>();

  const run: Method = async function (...args) {
    const [, parameters] = args;
    if (Array.isArray(parameters)) coming.set(this, parameters);
    try {
      return await Reflect.apply(executeUserScript, this, args);
    } finally {
      coming.delete(this);
    }
  };
  const sourceWith = async function (interpreter: Interpreter, parameters: readonly unknown[], args: readonly unknown[]): Promise<unknown> {
    const variables = variablesOf(interpreter);
    const before = new Map([...variables].filter(([variable]) => isLater(variable)));
    coming.set(interpreter, parameters);
    try {
      return await Reflect.apply(runCommand, interpreter, args);
    } finally {
      coming.delete(interpreter);
      setLater(variables, before);
    }
  };
  const call: Method = function (...args) {
    const [name, words] = args;
    const isSource = (name === "source" || name === ".") && Array.isArray(words) && words.length > 1;
    return isSource ? sourceWith(this, words.slice(1), args) : Reflect.apply(runCommand, this, args);
  };
  const begin: Method = function (...args) {
    const parameters = coming.get(this);
    coming.delete(this);
    if (parameters !== undefined)
      setLater(variablesOf(this), new Map(parameters.map((value, i) => [String(i + 1), String(value)] as const).slice(9)));
    return Reflect.apply(executeScript, this, args);
  };
  Object.assign(prototype, { executeUserScript: run, runCommand: call, executeScript: begin });
}

/** just-bash caches where a command was found, even if PATH has changed since. */
export function patchFoundCommands(prototype: object): void {
  const runCommand = methodOf(prototype, "runCommand");
  const paths = new WeakMap<Interpreter, unknown>();
  const call: Method = function (...args) {
    const path = variablesOf(this).get("PATH");
    if (paths.get(this) !== path) {
      const found: unknown = Reflect.get(this.ctx.state, "hashTable");
      if (found instanceof Map && paths.has(this)) found.clear();
      paths.set(this, path);
    }
    return Reflect.apply(runCommand, this, args);
  };
  Object.assign(prototype, { runCommand: call });
}

/**
 * just-bash remembers in `localVarDepth` the function in which a variable is local, even after that function has ended. `unset` would then restore the
 * value from before the function. Call it before `unset` with the names.
 */
export function forgetEndedLocals({ ctx: { state } }: Interpreter, names: readonly unknown[]): void {
  const depths: unknown = Reflect.get(state, "localVarDepth");
  const scopes: unknown = Reflect.get(state, "localScopes");
  if (!(depths instanceof Map) || !Array.isArray(scopes)) return;
  for (const name of names) {
    if (!(Number(depths.get(name)) > Number(Reflect.get(state, "callDepth")))) continue;
    const scope = scopes.findLastIndex((each: unknown) => each instanceof Map && each.has(name));
    if (scope < 0) depths.delete(name);
    else depths.set(name, scope + 1);
  }
}

/** Commands that just-bash runs itself even if there is a function of that name. */
const beforeFunctions = new Set(
  "export unset exit local set break continue return shift getopts read mapfile readarray declare typeset readonly pushd popd dirs".split(
    " ",
  ),
);

/** Gives functions precedence over shell commands, including `exit` and the like. */
export function patchFunctions(prototype: object): void {
  const runCommand = methodOf(prototype, "runCommand");
  const call: Method = function (...args) {
    const [name, , , , skipsFunctions] = args;
    const functions: unknown = Reflect.get(this.ctx.state, "functions");
    if (skipsFunctions === true || !beforeFunctions.has(String(name)) || !(functions instanceof Map) || !functions.has(name))
      return Reflect.apply(runCommand, this, args);
    const otherName = `__vibey_function_${String(name)}`;
    functions.set(otherName, functions.get(name));
    // It is looked up at once.
    const answer = Reflect.apply(runCommand, this, args.toSpliced(0, 1, otherName));
    functions.delete(otherName);
    return answer;
  };
  Object.assign(prototype, { runCommand: call });
}

/**
 * `set -e` does not apply to what precedes `&&` or `||` or follows `!`, including functions called there. just-bash only respects that for the
 * outermost command. An ERR trap runs for the same failures, so `trapsErrors` says whether there is one.
 */
export function patchErrexit(prototype: object, trapsErrors: (interpreter: Interpreter) => boolean): void {
  const executeStatement = methodOf(prototype, "executeStatement");
  const executePipeline = methodOf(prototype, "executePipeline");
  const executeUserScript = methodOf(prototype, "executeUserScript");
  const guarded = new WeakSet<object>();
  const statement: Method = function (...args) {
    const [node] = args;
    const pipelines: unknown = typeof node === "object" && node !== null ? Reflect.get(node, "pipelines") : null;
    if (Array.isArray(pipelines)) for (let i = 0; i < pipelines.length - 1; i++) guarded.add(Object(pipelines[i]));
    return Reflect.apply(executeStatement, this, args);
  };
  const pipeline: Method = function (...args) {
    const [node] = args;
    const isGuarded =
      typeof node === "object" && node !== null && (guarded.has(node) || isExpansion(node) || Reflect.get(node, "negated") === true);
    const { state } = this.ctx;
    const run = (): unknown => withSavedPipe(this, node, () => Reflect.apply(executePipeline, this, args));
    if (Reflect.get(state, "inCondition") === true) return run();
    if (isGuarded) return inCondition(this, true, run);
    const matters = Reflect.get(Object(Reflect.get(state, "options")), "errexit") === true || trapsErrors(this);
    return matters ? withSafety(state, node, run) : run();
  };
  /** A script that is run by name is a separate program, with its own `set -e`. */
  const file: Method = function (...args) {
    return inCondition(this, false, () => Reflect.apply(executeUserScript, this, args));
  };
  Object.assign(prototype, { executeStatement: statement, executePipeline: pipeline, executeUserScript: file });
}

async function inCondition({ ctx: { state } }: Interpreter, is: boolean, run: () => unknown): Promise<unknown> {
  const before: unknown = Reflect.get(state, "inCondition");
  Reflect.set(state, "inCondition", is);
  try {
    return await run();
  } finally {
    Reflect.set(state, "inCondition", before);
  }
}

/**
 * just-bash keeps in `errexitSafe` whether a failure came from a list such as `a && b`, which does not end a shell. It forgets this at the condition
 * that ends a loop, and keeps it after a function, whose failure does end a shell.
 */
async function withSafety(state: object, node: unknown, run: () => unknown): Promise<unknown> {
  const type = endsWith(node);
  if (type !== "While" && type !== "Until" && type !== "SimpleCommand") return run();
  // A loop whose redirection fails runs no command, which would set this.
  Reflect.set(state, "errexitSafe", undefined);
  const result = await run();
  Reflect.set(state, "errexitSafe", type !== "SimpleCommand" && Reflect.get(state, "errexitSafe") !== undefined);
  return result;
}

/** The type of a pipeline's last command. */
function endsWith(node: unknown): unknown {
  const commands: unknown = typeof node === "object" && node !== null ? Reflect.get(node, "commands") : null;
  const last: unknown = Array.isArray(commands) ? commands.at(-1) : null;
  return typeof last === "object" && last !== null ? Reflect.get(last, "type") : null;
}

/** Bash turns off `set -e` in the shell of a substitution. */
export async function withoutErrexit(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const { state } = interpreter.ctx;
  const options: unknown = Reflect.get(state, "options");
  if (typeof options !== "object" || options === null) throw new Error("just-bash keeps its options elsewhere: was it updated?");
  Reflect.set(state, "options", { ...options, errexit: false });
  try {
    return await run();
  } finally {
    Reflect.set(state, "options", options);
  }
}

/** Whether this is a parameter after the ninth. */
function isLater(variable: string): boolean {
  return /^[1-9]\d+$/.test(variable);
}

function setLater(variables: Map<string, string>, values: ReadonlyMap<string, string>): void {
  for (const variable of variables.keys()) if (isLater(variable)) variables.delete(variable);
  for (const [variable, value] of values) variables.set(variable, value);
}

function variablesOf({ ctx: { state } }: Interpreter): Map<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return variables;
}

function methodOf(prototype: object, name: string): Method {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== "function") throw new Error(`just-bash has no ${name}: was it updated?`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is called as just-bash calls it.
  return method as Method;
}
