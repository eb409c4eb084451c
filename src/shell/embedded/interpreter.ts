import { Bash } from "just-bash/browser";
import { patchArithmeticCommands } from "./arithmetic-calls.ts";
import { patchByteOutput, patchFinalOutput } from "./byte-output.ts";
import { setStackVariables } from "./call-stack.ts";
import { withEarlyValues } from "./early-values.ts";
import { isInScript, placeCommand } from "./error-places.ts";
import { withLongAssignments } from "./exact-integers.ts";
import { withExactOperands } from "./exact-tests.ts";
import { inScript } from "./fatal-errors.ts";
import { findPrototype, type Method, methodOf } from "./find-interpreter.ts";
import { startProgram } from "./fresh-program.ts";
import { mayReadInput, withInputFile } from "./input-file.ts";
import { withManyWords } from "./many-words.ts";
import { withKeys } from "./map-keys.ts";
import { withTargets } from "./name-references.ts";
import { patchAccounting, patchErrexit, patchFoundCommands, patchFunctions, patchLateEnds, patchParameters } from "./patch-interpreter.ts";
import { withPathNames } from "./path-names.ts";
import { withQuotedValues } from "./patterns.ts";
import { withSuccess } from "./plain-assignments.ts";
import { type Interpreter, traces } from "./running-script.ts";
import { withSavedOutput, withSavedStreams } from "./saved-streams.ts";
import { computedCommand, isInput, isOwnShell, isSubstitution } from "./script.ts";
import { literal, type Script, single } from "./script-nodes.ts";
import { aroundNode } from "./shared-input.ts";
import { beginScript, beginSource } from "./sources.ts";
import { keepingErrors, withSubstitutionErrors } from "./substitution-errors.ts";
import { setTimeVariables } from "./time-variables.ts";
import { enterTrap, putAtLine } from "./trap-context.ts";
import { isOutput } from "./traps.ts";
import { watchCalls } from "./watch-calls.ts";
import { watchFailures } from "./watch-failures.ts";
import { type CallResult, type RunCommand, watcherOf } from "./watcher.ts";

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

/** Like bash, drops NUL bytes, which a variable can't hold, and keeps the line number for the command that follows. */
async function inSubstitution(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const { state } = interpreter.ctx;
  const line: unknown = Reflect.get(state, "currentLine");
  const result = await withSavedOutput(interpreter, run);
  Reflect.set(state, "currentLine", line);
  return isOutput(result) && result.stdout.includes("\0") ? { ...result, stdout: result.stdout.replaceAll("\0", "") } : result;
}
