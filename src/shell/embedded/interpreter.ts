import { Bash } from "just-bash/browser";
import { exactLet, patchArithmeticCommands } from "./arithmetic-calls.ts";
import { printArrays } from "./declared-arrays.ts";
import { declaredFunctions, exportFunctions, functionsOf, typeOfFunction } from "./exported-functions.ts";
import { mendExports } from "./exported.ts";
import { patchByteOutput, patchFinalOutput } from "./byte-output.ts";
import {
  forgetEndedLocals,
  patchAccounting,
  patchErrexit,
  patchFoundCommands,
  patchFunctions,
  patchLateEnds,
  patchParameters,
} from "./patch-interpreter.ts";
import { caller, setStackVariables } from "./call-stack.ts";
import { setCaller } from "./callers.ts";
import { aroundEval, failedStatement, givenUpStatement, inScript, lineOf, runsScript } from "./fatal-errors.ts";
import { setVersion, startProgram } from "./fresh-program.ts";
import { withPathNames } from "./path-names.ts";
import { type Interpreter, traces } from "./running-script.ts";
import { withSuccess } from "./plain-assignments.ts";
import { withQuotedValues } from "./patterns.ts";
import { noteOptions } from "./shell-frames.ts";
import { literal, type Script, single } from "./script-nodes.ts";
import { changesShell, computedCommand, isInput, isOwnShell, isSubstitution, ownShellOf } from "./script.ts";
import { isInputFile, mayReadInput, namesInput, withInputFile } from "./input-file.ts";
import { isInScript, placeCall, placeCommand, placeOf } from "./error-places.ts";
import { choose, selectCommand } from "./select-loop.ts";
import { aroundFile, aroundShell, aroundSource, beginScript, beginSource, calledAs } from "./sources.ts";
import { readableSource } from "./readable-source.ts";
import { withInput } from "./read-text.ts";
import { withSavedOutput, withSavedStreams } from "./saved-streams.ts";
import { scriptWords } from "./script-words.ts";
import { declaring, withManyWords } from "./many-words.ts";
import { keepingErrors, withSubstitutionErrors } from "./substitution-errors.ts";
import { withReason } from "./test-messages.ts";
import { enterTrap, putAtLine, setCommandVariable } from "./trap-context.ts";
import { setTimeVariables } from "./time-variables.ts";
import { hideAttributes } from "./local-attributes.ts";
import { withEarlyValues } from "./early-values.ts";
import { aroundMapfile } from "./mapfile.ts";
import { withLongAssignments, withLongDeclarations } from "./exact-integers.ts";
import { exactOperands, tooLong, withExactOperands } from "./exact-tests.ts";
import { withKeys } from "./map-keys.ts";
import { withTargets } from "./name-references.ts";
import { aroundCall, aroundNode } from "./shared-input.ts";
import { listsVariables, withoutHelpers } from "./helper-variables.ts";
import { appendOutput, isOutput } from "./traps.ts";

/** A call of a command by name, or of a file as a script. `calledAs`: the name of the file as written. */
export interface Call {
  readonly interpreter: Interpreter;
  readonly name: string;
  readonly calledAs: string;
  readonly args: readonly string[];
  readonly stdin: string;
}

/** just-bash's result of a call; our own results need no other fields. */
export interface CallResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The ways in which a call can continue. */
export interface CallWays {
  /** As in just-bash. `own`: run the shell's own command of that name, whatever else is on the PATH. */
  go(own: boolean): Promise<CallResult>;
  /** Runs another command of the shell with the same input. */
  command(name: string, args: readonly string[]): Promise<CallResult>;
  /** Runs a file as a script with the same input. */
  file(path: string, args: readonly string[]): Promise<CallResult>;
  /** Runs a text with a shell, as if it were the text of the file. */
  text(shell: string, path: string, source: string, args: readonly string[]): Promise<CallResult>;
}

/** Wraps every call of a file, and of a command that is not a function. */
export interface CallAround {
  command(call: Call, ways: CallWays): Promise<CallResult>;
  file(call: Call, ways: CallWays): Promise<CallResult>;
}

/** Runs a command, or another node in its place with the same input. */
export type RunCommand = (instead?: object) => Promise<unknown>;

/** Wraps every command and every script of the shells whose files it was registered for. Returns the result of `run`. */
export interface Watcher {
  /** Null: just-bash knows everything that can run. */
  readonly around: CallAround | null;
  command(interpreter: Interpreter, node: object, run: RunCommand): Promise<unknown>;
  /** `isFile`: the script is a file that is run by name. */
  script(interpreter: Interpreter, script: object, run: () => Promise<unknown>, isFile: boolean): Promise<unknown>;
  /** Wraps the call of a command by name, including functions, or of the node that replaces it. Its redirections are applied afterwards. */
  call(interpreter: Interpreter, called: string | object, run: () => Promise<unknown>): Promise<unknown>;
  /** Called where `set -e` would end a shell. Returns the output. */
  failed(interpreter: Interpreter, exitCode: number): Promise<CallResult | null>;
  /** Whether `failed` must be called. */
  trapsErrors(interpreter: Interpreter): boolean;
}

const watchers = new WeakMap<object, Watcher>();

/** From now on the watcher is called for everything that the shell over these files runs. Call `learnInterpreter` first. */
export function watchInterpreter(files: object, watcher: Watcher): void {
  watchers.set(files, watcher);
}

/** The watchers of the interpreters seen so far. An interpreter's files change with the first process substitution of its script. */
const watched = new WeakMap<Interpreter, Watcher | null>();

function watcherOf(interpreter: Interpreter): Watcher | null {
  const known = watched.get(interpreter);
  if (known !== undefined) return known;
  const watcher = watchers.get(interpreter.ctx.fs) ?? null;
  watched.set(interpreter, watcher);
  if (watcher !== null) {
    mendExports(interpreter);
    setVersion(interpreter);
  }
  return watcher;
}

let learned: Promise<void> | null = null;

/** Finds just-bash's interpreter, which is not exported, and puts the watchers around it. Once for all shells. */
export function learnInterpreter(): Promise<void> {
  learned ??= learn();
  return learned;
}

/** Runs a script in an interpreter that is already running one, without the watchers. Set by `learnInterpreter`. */
let executeScript: Method | null = null;

export async function runInside(interpreter: Interpreter, script: object): Promise<CallResult> {
  if (executeScript === null) throw new Error("just-bash's interpreter is not known yet");
  const leave = enterTrap(interpreter);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash returns this for every script.
    return (await Reflect.apply(executeScript, interpreter, [script])) as CallResult;
  } finally {
    leave();
  }
}

type Method = (this: Interpreter, ...args: readonly unknown[]) => Promise<unknown>;

async function learn(): Promise<void> {
  const { prototype, scope } = await findPrototype();
  patchAccounting(scope);
  patchByteOutput(scope);
  patchFinalOutput(Bash.prototype);
  patchLateEnds(scope);
  patchFunctions(prototype);
  patchFoundCommands(prototype);
  patchParameters(prototype);
  patchArithmeticCommands(prototype);
  patchErrexit(prototype, (interpreter) => watcherOf(interpreter)?.trapsErrors(interpreter) === true);
  const executeCommand = methodOf(prototype, "executeCommand");
  const runScript = methodOf(prototype, "executeScript");
  executeScript = runScript;
  const executeUserScript = methodOf(prototype, "executeUserScript");
  /** Interpreters that are about to run a file's script. */
  const filesComing = new WeakSet<Interpreter>();
  const command: Method = function (...args) {
    const watcher = watcherOf(this);
    const [node, stdin] = args;
    const plain: RunCommand = (instead) =>
      withSubstitutionErrors(this, () =>
        withSavedStreams(this, Object(node), instead ?? Object(node), () =>
          withPathNames(this, instead ?? Object(node), (named) => {
            const execute = (): Promise<unknown> =>
              Reflect.apply(executeCommand, this, named === node ? args : args.toSpliced(0, 1, named));
            return mayReadInput(named) ? withInputFile(this, stdin, true, execute) : execute();
          }),
        ),
      );
    const run: RunCommand =
      isInScript(this) && typeof node === "object" && node !== null
        ? (instead) => placeCommand(this, instead ?? node, () => plain(instead))
        : plain;
    if (!watcher || typeof node !== "object" || node === null) return run();
    setTimeVariables(this);
    setStackVariables(this);
    const go = (ready: object): Promise<unknown> => {
      const named = withManyWords(this, withQuotedValues(this, withKeys(this, withExactOperands(this, withTargets(this, ready)))));
      const runNamed = untraced(this, named, named === node ? run : (instead) => run(instead ?? named));
      return withLongAssignments(this, named, () => watcher.command(this, node, runNamed));
    };
    const early = withEarlyValues(this, node);
    return withSuccess(
      this,
      node,
      aroundNode(this, node, stdin, () => (early === null ? go(node) : early.then(go))),
    );
  };
  const script: Method = function (...args) {
    const watcher = watcherOf(this);
    const [node] = args;
    const plain = (): Promise<unknown> => Reflect.apply(runScript, this, args);
    const own = (): Promise<unknown> => inScript(this, Object(node), isOwnShell(Object(node)), plain);
    const run = isInput(node)
      ? () => keepingErrors(this, () => withSavedOutput(this, own))
      : isSubstitution(node)
        ? () => inSubstitution(this, own)
        : own;
    putAtLine(this, node);
    beginScript(this, node);
    const isFile = filesComing.delete(this);
    if (isFile) {
      startProgram(this);
      beginSource(this, node);
    }
    return watcher && typeof node === "object" && node !== null ? watcher.script(this, node, run, isFile) : run();
  };
  const file: Method = async function (...args) {
    filesComing.add(this);
    try {
      return await Reflect.apply(executeUserScript, this, args);
    } finally {
      filesComing.delete(this);
    }
  };
  Object.assign(prototype, { executeCommand: command, executeScript: script, executeUserScript: file });
  watchFailures(prototype);
  watchCalls(prototype);
}

/**
 * Makes `set -x` show what a computed name expands to, and not the command that runs it. The trace goes where the command's errors go, so a command
 * with redirections becomes a group with these redirections.
 */
function untraced(interpreter: Interpreter, node: object, run: RunCommand): RunCommand {
  if (!traces(interpreter)) return run;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a command.
  const command = node as Script["statements"][number]["pipelines"][number]["commands"][number];
  if (command.type !== "SimpleCommand" || literal(command.name) !== computedCommand) return run;
  if (command.redirections.length > 0)
    return (instead) =>
      run(instead ?? { type: "Group", body: [single({ ...command, redirections: [] })], redirections: command.redirections });
  return async (instead) => {
    const result = await run(instead);
    return isOutput(result) ? { ...result, stderr: result.stderr.replace(traced, "$1") } : result;
  };
}

/** The line about a command whose name was computed. */
const traced = new RegExp(`^(.*?)${computedCommand} [01]p? `, "m");

/** Runs an ERR trap where `set -e` would end a shell, once for each failed command. */
function watchFailures(prototype: object): void {
  const executeStatement = methodOf(prototype, "executeStatement");
  const told = new WeakSet<object>();
  /** Shells that `set -e` is about to end and whose trap has run. */
  const ending = new WeakSet<Interpreter>();
  /** Whether a command within this one has failed and ended it. */
  const hasEnded = (interpreter: Interpreter, node: unknown): boolean => {
    if (!ending.delete(interpreter)) return false;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a statement.
    const command = (node as Script["statements"][number]).pipelines.at(-1)?.commands.at(-1);
    return command?.type === "SimpleCommand" && runsScript.has(literal(command.name) ?? "");
  };
  const statement: Method = async function (...args) {
    const watcher = watcherOf(this);
    const [node] = args;
    let result: unknown;
    ending.delete(this);
    setCommandVariable(this, node);
    const givenUp = givenUpStatement(this, node);
    if (givenUp !== null) return givenUp;
    try {
      result = await Reflect.apply(executeStatement, this, args);
    } catch (error) {
      const failed = failedStatement(this, node, error);
      if (failed !== null) return failed;
      if (!(error instanceof Error) || error.name !== "ErrexitError" || told.has(error) || watcher?.trapsErrors(this) !== true) throw error;
      told.add(error);
      const isTold = hasEnded(this, node);
      ending.add(this);
      if (isTold) throw error;
      const said = await watcher.failed(this, Number(Reflect.get(error, "exitCode")));
      if (said !== null && isOutput(error)) appendOutput(error, said);
      ending.add(this);
      throw error;
    }
    if (watcher?.trapsErrors(this) !== true || !isOutput(result) || !fails(this, node, result) || hasEnded(this, node)) return result;
    // A function that was called may have set another line.
    Reflect.set(this.ctx.state, "currentLine", lineOf(node) ?? Reflect.get(this.ctx.state, "currentLine"));
    const said = await watcher.failed(this, Number(Reflect.get(result, "exitCode")));
    if (said === null) return result;
    const answer = { ...result };
    appendOutput(answer, said);
    return answer;
  };
  Object.assign(prototype, { executeStatement: statement });
}

const failing = new Set(["SimpleCommand", "Subshell", "ArithmeticCommand", "ConditionalCommand"]);

function fails({ ctx: { state } }: Interpreter, node: unknown, result: object): boolean {
  if (Reflect.get(result, "exitCode") === 0 || Reflect.get(state, "inCondition") === true || Reflect.get(state, "errexitSafe") === true)
    return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a statement.
  const commands = (node as Script["statements"][number]).pipelines.at(-1)?.commands ?? [];
  return commands.length > 1 || failing.has(commands[0]?.type ?? "");
}

function watchCalls(prototype: object): void {
  const runCommand = methodOf(prototype, "runCommand");
  const executeUserScript = methodOf(prototype, "executeUserScript");
  const call: Method = function (...args) {
    const [name, words, quoted, stdin] = args;
    const watcher = watcherOf(this);
    const around = (called: unknown, run: () => Promise<unknown>): Promise<unknown> =>
      watcher !== null && (typeof called === "string" || (typeof called === "object" && called !== null))
        ? watcher.call(this, called, run)
        : run();
    if (name === computedCommand && Array.isArray(words)) {
      const [how, first, ...others] = words.map(String);
      const exitCode = how?.startsWith("1") === true ? Number(Reflect.get(this.ctx.state, "lastExitCode")) : 0;
      if (first === undefined) return Promise.resolve({ stdout: "", stderr: "", exitCode });
      const functions: unknown = Reflect.get(this.ctx.state, "functions");
      if (how?.endsWith("p") === true && (changesShell(first) || (functions instanceof Map && functions.has(first)))) {
        const shell = ownShellOf(first, others);
        return around(shell, () => Reflect.apply(methodOf(prototype, "executeCommand"), this, [shell, stdin]));
      }
      return Reflect.apply(call, this, [first, others, Array.isArray(quoted) ? quoted.slice(2) : quoted, ...args.slice(3)]);
    }
    const plain = (): Promise<unknown> => Reflect.apply(callNow, this, args);
    if (typeof name !== "string") return around(name, plain);
    const now = Array.isArray(words) ? mended(this, name, words, args, plain) : plain;
    const named = name.includes("/") ? () => aroundFile(this, name, now) : now;
    const place = isInScript(this) && !functionsOf(this).has(name) ? placeOf(this, undefined) : null;
    return around(name, place === null ? named : () => placeCall(place, name, named()));
  };
  /** Calls of the shell's own commands that just-bash answers wrongly. */
  const mended = (
    interpreter: Interpreter,
    name: string,
    words: readonly unknown[],
    args: readonly unknown[],
    plain: () => Promise<unknown>,
  ): (() => Promise<unknown>) => {
    const changed = (own: readonly unknown[]): Promise<unknown> => Reflect.apply(callNow, interpreter, args.with(1, own));
    if (name === "[" || name === "test") {
      const wrong = tooLong(words);
      if (wrong !== undefined)
        return () => Promise.resolve({ stdout: "", stderr: `bash: ${name}: ${wrong}: integer expression expected\n`, exitCode: 2 });
      const exact = exactOperands(words);
      return () => withReason(name, words, exact === words ? plain() : changed(exact));
    }
    if (name === "getopts") return () => withOptarg(interpreter, words, plain());
    if (listsVariables(name, words)) return () => withoutHelpers(interpreter, plain);
    if (declaring.has(name)) return () => withLongDeclarations(interpreter, words, plain);
    const isLookup = name === "command" && /^-p?[vV]$/.test(String(words[0])) && words.length > 1;
    const inPath = (each: string): Promise<unknown> => Reflect.apply(methodOf(prototype, "findCommandInPath"), interpreter, [each]);
    return isLookup ? () => lookedUp(words.map(String), changed, inPath) : plain;
  };
  const reading = (interpreter: Interpreter, given: readonly unknown[]): Promise<unknown> => {
    const [name, words, , stdin] = given;
    const run = (): Promise<unknown> => Reflect.apply(runCommand, interpreter, given);
    const names = Array.isArray(words) && words.some(namesInput) && !functionsOf(interpreter).has(String(name));
    return names ? withInputFile(interpreter, stdin, false, run) : run();
  };
  const callNow: Method = function (...given) {
    const around = watcherOf(this)?.around;
    const args = given[0] === "local" && declares(this, given[1]) ? given.toSpliced(0, 1, "declare") : given;
    const [name, words, quoted, stdin, skipsFunctions = false, , ...rest] = args;
    if (typeof words === "object" && words !== null) setCaller(words, this);
    if (name === "set" && Array.isArray(words)) noteOptions(this, words);
    if (name === "unset" && Array.isArray(words)) forgetEndedLocals(this, words);
    if ((name === "local" || name === "declare" || name === "typeset") && Array.isArray(words)) hideAttributes(this, words);
    const answer = Array.isArray(words) ? ownAnswer(this, name, words) : null;
    if (answer !== null) return Promise.resolve(answer);
    if (typeof name === "string" && name.startsWith(selectCommand) && Array.isArray(words))
      return choose(this, name, words, () =>
        aroundCall(this, ["read", [], [], ...args.slice(3)], (changed) => Reflect.apply(runCommand, this, changed)),
      );
    const run = (changing: readonly unknown[]): Promise<unknown> =>
      aroundMapfile(this, changing, (read) =>
        aroundCall(this, read, (changed) =>
          aroundEval(name, () =>
            aroundSource(
              this,
              name,
              words,
              () => withInput(this, withoutSourced(name, words, changed), (ready) => reading(this, ready)),
              changed[3],
            ),
          ),
        ),
      );
    if (!around || typeof name !== "string") return run(args);
    const readable = name === "eval" && Array.isArray(words) ? evalWords(words) : scriptWords(name, words);
    // The sixth argument limits the search to the shell's own commands.
    const alone = [name, readable, quoted, stdin, skipsFunctions, true, ...rest];
    const go = (own: boolean): Promise<unknown> => run(own ? alone : readable === words ? args : args.with(1, readable));
    return around.command(callOf(this, name, words, stdin), waysOf(this, stdin, go));
  };
  const file: Method = function (...args) {
    const around = watcherOf(this)?.around;
    const [path, words, stdin] = args;
    const go = (): Promise<unknown> => Reflect.apply(executeUserScript, this, args);
    return around && typeof path === "string" ? around.file(callOf(this, path, words, stdin), waysOf(this, stdin, go)) : go();
  };
  function waysOf(interpreter: Interpreter, stdin: unknown, go: (own: boolean) => Promise<unknown>): CallWays {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash returns this for every call.
    const result = (work: Promise<unknown>): Promise<CallResult> => work as Promise<CallResult>;
    return {
      go: (own) => result(go(own)),
      command: (name, args) =>
        result(
          aroundSource(interpreter, name, args, () =>
            Reflect.apply(runCommand, interpreter, [name, scriptWords(name, args), [], stdin, true, true]),
          ),
        ),
      text: (shell, path, source, args) =>
        result(
          aroundShell(interpreter, path, path, () =>
            Reflect.apply(runCommand, interpreter, [shell, scriptWords(shell, ["-c", source, path, ...args]), [], stdin, true, true]),
          ),
        ),
      file: (path, args) => result(Reflect.apply(file, interpreter, [path, args, stdin])),
    };
  }
  Object.assign(prototype, { runCommand: call, executeUserScript: file });
}

/** Whether `declare` must replace `local`, which lacks attributes such as `-x` and `-i`. In a function, `declare` also declares local variables. */
function declares({ ctx: { state } }: Interpreter, words: unknown): boolean {
  const [flags]: unknown[] = Array.isArray(words) ? words : [];
  return typeof flags === "string" && /^-\w*[ilrux]/.test(flags) && Number(Reflect.get(state, "callDepth")) > 0;
}

/** Runs those of the shell's own commands that just-bash lacks. Null: it is another command. */
function ownAnswer(interpreter: Interpreter, name: unknown, words: readonly unknown[]): CallResult | null {
  if (name === "export") return exportFunctions(interpreter, words.map(String));
  if (name === "declare" || name === "typeset")
    return declaredFunctions(interpreter, words.map(String)) ?? printArrays(interpreter, words.map(String));
  if (name === "type" && words.length === 1) return typeOfFunction(interpreter, String(words[0]));
  // just-bash would use the first of several folders.
  if (name === "cd" && words.filter((each, i) => i > 2 || !/^-[LPe]+$|^--$/.test(String(each))).length > 1)
    return { stdout: "", stderr: "bash: cd: too many arguments\n", exitCode: 1 };
  if (name === "let") return exactLet(interpreter, words.map(String));
  if ((name !== "caller" && name !== "times" && name !== "cd") || functionsOf(interpreter).has(name)) return null;
  if (name === "cd")
    return hasManyFolders(words.map(String)) ? { stdout: "", stderr: "bash: cd: too many arguments\n", exitCode: 1 } : null;
  if (name === "caller") return caller(interpreter, words);
  // Processor time is not measured here.
  return { stdout: "0m0.000s 0m0.000s\n".repeat(2), stderr: "", exitCode: 0 };
}

/** The text that `eval` runs, in a form that just-bash can parse. */
function evalWords(words: readonly unknown[]): readonly unknown[] {
  const text = words.join(" ");
  const readable = readableSource(text);
  return readable === text ? words : [readable];
}

/** `command -v`, which in just-bash doesn't find files in the folders of PATH. */
async function lookedUp(
  [option = "", ...given]: readonly string[],
  run: (words: readonly string[]) => Promise<unknown>,
  inPath: (name: string) => Promise<unknown>,
): Promise<unknown> {
  const all = { stdout: "", stderr: "", exitCode: 1 };
  for (const name of given[0] === "--" ? given.slice(1) : given) {
    const result = await run([option, name]);
    if (!isOutput(result)) return result;
    const isFound = Reflect.get(result, "exitCode") === 0;
    const paths = isFound || name.includes("/") ? [] : await inPath(name);
    const [path]: unknown[] = Array.isArray(paths) ? paths : [];
    if (isFound || typeof path === "string") all.exitCode = 0;
    if (typeof path === "string") all.stdout += option.endsWith("V") ? `${name} is ${path}\n` : `${path}\n`;
    else {
      all.stdout += result.stdout;
      all.stderr += result.stderr;
    }
  }
  return all;
}

/** Unsets OPTARG where there is no option with a value. just-bash sets it to "". */
async function withOptarg({ ctx: { state } }: Interpreter, words: readonly unknown[], work: Promise<unknown>): Promise<unknown> {
  const result = await work;
  const variables: unknown = Reflect.get(state, "env");
  const [options, name] = words.map(String);
  if (!(variables instanceof Map) || variables.get("OPTARG") !== "" || options === undefined) return result;
  const option = String(variables.get(name));
  if (option === "?" || !options.includes(`${option}:`)) variables.delete("OPTARG");
  return result;
}

/** The call without its input, if it runs that input. */
function withoutSourced(name: unknown, words: unknown, call: readonly unknown[]): readonly unknown[] {
  return (name === "source" || name === ".") && Array.isArray(words) && isInputFile(words[0]) ? call.with(3, "") : call;
}

function hasManyFolders(words: readonly string[]): boolean {
  const first = words.findIndex((word) => !/^-[LPe@]+$/.test(word));
  return words.slice(words[first] === "--" ? first + 1 : first).length > 1 && first >= 0;
}

/** Like bash, drops NUL bytes, which a variable can't hold, and keeps the line number for the command that follows. */
async function inSubstitution(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const { state } = interpreter.ctx;
  const line: unknown = Reflect.get(state, "currentLine");
  const result = await withSavedOutput(interpreter, run);
  Reflect.set(state, "currentLine", line);
  return isOutput(result) && result.stdout.includes("\0") ? { ...result, stdout: result.stdout.replaceAll("\0", "") } : result;
}

function callOf(interpreter: Interpreter, name: string, words: unknown, stdin: unknown): Call {
  const args = Array.isArray(words) ? words.map(String) : [];
  return { interpreter, name, calledAs: calledAs(interpreter, name), args, stdin: typeof stdin === "string" ? stdin : "" };
}

/** The interpreter binds its own methods when it is created, and that is when it can be found. */
async function findPrototype(): Promise<{ readonly prototype: object; readonly scope: object }> {
  // oxlint-disable-next-line typescript/unbound-method -- restored below, and called with its own `this`.
  const nativeBind = Function.prototype.bind;
  const found: object[] = [];
  function watchedBind(this: (...args: readonly unknown[]) => unknown, ...args: readonly unknown[]): unknown {
    const [owner] = args;
    if (typeof owner === "object" && owner !== null && "executeCommand" in owner) {
      found.push(owner);
    }
    return Reflect.apply(nativeBind, this, args);
  }
  const shell = new Bash({ defenseInDepth: false });
  Object.assign(Function.prototype, { bind: watchedBind });
  try {
    await shell.exec(":");
  } finally {
    Object.assign(Function.prototype, { bind: nativeBind });
  }
  const [owner] = found;
  const prototype = owner === undefined ? null : Reflect.getPrototypeOf(owner);
  if (owner === undefined || prototype === null) throw new Error("just-bash has no interpreter that binds its methods: was it updated?");
  const context: unknown = Reflect.get(owner, "ctx");
  const scope: unknown = typeof context === "object" && context !== null ? Reflect.get(context, "executionScope") : null;
  if (typeof scope !== "object" || scope === null) throw new Error("just-bash's interpreter has no executionScope: was it updated?");
  return { prototype, scope };
}

function methodOf(prototype: object, name: string): Method {
  const method: unknown = Reflect.get(prototype, name);
  if (typeof method !== "function") throw new Error(`just-bash's interpreter has no ${name}: was it updated?`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a method of just-bash's interpreter, whose first argument is a node.
  return method as Method;
}
