import type { CallResult } from "./watcher.ts";
import { spanOfScript } from "./in-span.ts";
import type { Interpreter } from "./running-script.ts";
import type { Script } from "./script-nodes.ts";
import { beginnerOf, deathOf, enterSpan, sendToShell, setShell, type ShellFrame, shellOf } from "./shell-frames.ts";
import { appendOutput, endingCode, isOutput, type Output, prependOutput, readTrap } from "./traps.ts";

/** Runs a script in an interpreter that is already running one, with its variables, arrays and functions. */
export type RunScript = (interpreter: Interpreter, script: Script) => Promise<CallResult>;

/**
 * The shells of a command: their ids, their traps and their signals.
 *
 * - The trap of a signal runs when the current command has ended, as in bash; `wait` ends at once.
 * - An EXIT trap runs at the end of the shell that set it, also if a signal other than KILL ends the shell. It sees `$?`; the exit code stays unless
 *   the trap exits with another. Stopping a script from outside runs no trap.
 */
export interface Shells {
  /** Call it before each command. */
  begin(): void;
  newPid(): number;
  /** A running shell; null if none has that id. */
  find(pid: number): ShellFrame | null;
  /** All running shells, by id. */
  list(): readonly ShellFrame[];
  /** Runs a shell until it ends. `givesWay`: see `ShellFrame`. */
  run(interpreter: Interpreter, kind: ShellKind, givesWay: boolean, work: () => Promise<unknown>): Promise<unknown>;
  /** Runs one of the shell's commands, then the traps of signals that arrived in the meantime. */
  command(interpreter: Interpreter, work: () => Promise<unknown>): Promise<unknown>;
  /** Whether the shell has an ERR trap, so that failures must be reported. */
  trapsErrors(interpreter: Interpreter): boolean;
  /** Runs the shell's ERR trap for a failed command. Returns the output; null if no trap applies. */
  failed(interpreter: Interpreter, exitCode: number): Promise<CallResult | null>;
}

/** A program has its own id, and `$$`; a subshell only has an id; a job's shell has the job's id. */
export type ShellKind = "program" | "subshell" | "job";

/** The id of a command's shell. */
const firstPid = 100;

/** Errors that end a command but not the shell. */
const ofExpansion = new Set(["ArithmeticError", "BadSubstitutionError", "BraceExpansionError", "GlobError"]);

const nothing = { stdout: "", stderr: "", exitCode: 0 };

export function createShells(runScript: RunScript): Shells {
  let all = new Map<number, ShellFrame>();
  let nextPid = firstPid;
  const newPid = (): number => nextPid++;

  function frameOf(interpreter: Interpreter, kind: ShellKind, givesWay: boolean): ShellFrame {
    const { state } = interpreter.ctx;
    const inside = shellOf(interpreter);
    const by = inside ?? beginnerOf(interpreter);
    const job = by !== null && "early" in by ? by : null;
    const outer = job?.outer ?? (by !== null && "traps" in by ? by : null);
    const isProgram = kind === "program" && job === null;
    const takesNumber = kind === "job" || (isProgram && outer?.givesWay === true);
    const pid = job?.pid ?? (takesNumber && outer !== null ? outer.pid : newPid());
    const programPid = isProgram || outer === null ? pid : outer.programPid;
    // just-bash counts from 2 in each of its interpreters.
    if (inside === null) Reflect.defineProperty(state, "nextVirtualPid", { get: newPid, set() {}, configurable: true });
    if (isProgram) Reflect.set(state, "virtualPpid", outer?.pid ?? 1);
    Reflect.set(state, "virtualPid", programPid);
    Reflect.set(state, "bashPid", pid);
    const frame: ShellFrame = {
      pid,
      programPid,
      outer,
      givesWay,
      traps: new Map(
        [...(outer?.traps ?? [])].filter(([name, handler]) =>
          name === "ERR" ? kind !== "program" && outer?.tracesErrors === true : name !== "EXIT" && handler === "",
        ),
      ),
      told: kind === "program" || outer === null ? null : new Map(outer.told ?? outer.traps),
      pending: [],
      depth: depthOf(interpreter),
      interrupt: job?.interrupt ?? outer?.interrupt ?? null,
      wake: null,
      dead: null,
      endsAfter: null,
      isEnding: false,
      tracesErrors: kind !== "program" && outer?.tracesErrors === true,
    };
    const early = job?.early() ?? null;
    if (early !== null) sendToShell(frame, early);
    return frame;
  }

  async function step(interpreter: Interpreter, frame: ShellFrame, result: unknown): Promise<unknown> {
    let answer = result;
    for (let signal = frame.pending.shift(); signal !== undefined; signal = frame.pending.shift()) {
      const handler = frame.traps.get(signal.name.slice(3));
      if (handler !== undefined && handler !== "") answer = await withTrap(interpreter, handler, answer);
      if (signal === frame.endsAfter) frame.dead ??= signal;
    }
    const death = deathOf(frame);
    if (death === null) return answer;
    frame.isEnding = true;
    if (death.number === 9) frame.traps.clear();
    try {
      throw await endingWith(interpreter, 128 + death.number, answer);
    } finally {
      // If the shell was part of a pipe, just-bash ends only that part; the next command then ends the shell.
      frame.isEnding = false;
    }
  }

  /** Runs a handler. It sees the exit code of the previous command and leaves it unchanged. */
  async function withTrap(interpreter: Interpreter, handler: string, before: unknown): Promise<unknown> {
    const code = codeOf(before);
    setCode(interpreter, code);
    const answer = { ...nothing, ...(isOutput(before) ? before : {}), exitCode: code };
    try {
      appendOutput(answer, await runScript(interpreter, readTrap(handler)));
    } catch (error) {
      prependOutput(error, answer);
      throw error;
    }
    setCode(interpreter, code);
    return answer;
  }

  /**
   * Prepares the error of a command for the commands around it. An unset variable ends the shell, also in a function or a loop, where just-bash would
   * continue. For errors of an expansion just-bash prints the error's `message` there, so the message becomes the text of stderr.
   */
  async function ended(interpreter: Interpreter, error: unknown): Promise<unknown> {
    if (!(error instanceof Error) || !isOutput(error)) return error;
    if (error.name === "NounsetError") return endingWith(interpreter, 1, error);
    if (ofExpansion.has(error.name)) error.message = error.stderr.replace(/\n$/, "");
    return error;
  }

  /** The error by which just-bash ends a shell. */
  async function endingWith(interpreter: Interpreter, code: number, answer: unknown): Promise<Error> {
    try {
      await runScript(interpreter, readTrap(`exit ${code}`));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isOutput(answer)) prependOutput(error, answer);
      return error;
    }
    throw new Error("just-bash did not end a shell at its exit: was it updated?");
  }

  async function exitTrap(interpreter: Interpreter, frame: ShellFrame, code: number): Promise<(Output & { exitCode: number }) | null> {
    const handler = frame.traps.get("EXIT");
    frame.traps.clear();
    if (handler === undefined || handler === "") return null;
    frame.isEnding = true;
    setCode(interpreter, code);
    try {
      return { ...(await runScript(interpreter, readTrap(handler))), exitCode: code };
    } catch (error) {
      const own = endingCode(error);
      if (own === null || !isOutput(error)) throw error;
      return { stdout: error.stdout, stderr: error.stderr, exitCode: own };
    }
  }

  async function toItsEnd(interpreter: Interpreter, frame: ShellFrame, work: () => Promise<unknown>): Promise<unknown> {
    let result: unknown;
    try {
      result = await step(interpreter, frame, await work());
    } catch (error) {
      // `return` in a `$(…)` of a function ends only the shell of the substitution.
      if (error instanceof Error && error.name === "ReturnError" && isOutput(error))
        return withExitTrap(interpreter, frame, outputOf(error));
      const code = endingCode(error);
      if (code === null || !isOutput(error)) throw error;
      const said = await exitTrap(interpreter, frame, code);
      if (said === null) throw error;
      appendOutput(error, said);
      if (Reflect.has(error, "exitCode")) Reflect.set(error, "exitCode", said.exitCode);
      throw error;
    }
    return withExitTrap(interpreter, frame, result);
  }

  async function withExitTrap(interpreter: Interpreter, frame: ShellFrame, result: unknown): Promise<unknown> {
    if (!isOutput(result)) return result;
    const said = await exitTrap(interpreter, frame, codeOf(result));
    if (said === null) return result;
    const answer = { ...result, exitCode: said.exitCode };
    appendOutput(answer, said);
    return answer;
  }

  return {
    begin() {
      all = new Map();
      nextPid = firstPid;
    },
    newPid,
    find: (pid) => all.get(pid) ?? null,
    list: () => [...all.values()],
    async run(interpreter, kind, givesWay, work) {
      const { state } = interpreter.ctx;
      const outer = shellOf(interpreter);
      const kept = (["bashPid", "virtualPid", "virtualPpid", "parentHasLoopContext", "loopDepth", "startTime"] as const).map(
        (name) => [name, Reflect.get(state, name)] as const,
      );
      // A loop around a shell is not the shell's own loop.
      Reflect.set(state, "parentHasLoopContext", false);
      Reflect.set(state, "loopDepth", 0);
      const frame = frameOf(interpreter, kind, givesWay);
      const before = all.get(frame.pid);
      setShell(interpreter, frame);
      all.set(frame.pid, frame);
      const leave = enterSpan(spanOfScript(interpreter), frame);
      try {
        return await toItsEnd(interpreter, frame, work);
      } finally {
        leave();
        setShell(interpreter, outer);
        if (before === undefined) all.delete(frame.pid);
        else all.set(frame.pid, before);
        for (const [name, value] of kept) Reflect.set(state, name, value);
      }
    },
    async command(interpreter, work) {
      const before = shellOf(interpreter);
      if (before !== null && deathOf(before) !== null) return step(interpreter, before, nothing);
      let result: unknown;
      try {
        result = await work();
      } catch (error) {
        throw await ended(interpreter, error);
      }
      const frame = shellOf(interpreter);
      if (frame === null || (frame.pending.length === 0 && deathOf(frame) === null)) return result;
      return step(interpreter, frame, result);
    },
    trapsErrors: (interpreter) => (shellOf(interpreter)?.traps.get("ERR") ?? "") !== "",
    async failed(interpreter, exitCode) {
      const frame = shellOf(interpreter);
      const handler = frame?.traps.get("ERR") ?? "";
      if (frame === null || handler === "" || (!frame.tracesErrors && depthOf(interpreter) > frame.depth)) return null;
      setCode(interpreter, exitCode);
      // A failure in the trap does not run the trap again.
      frame.traps.delete("ERR");
      try {
        return await runScript(interpreter, readTrap(handler));
      } finally {
        if (!frame.traps.has("ERR")) frame.traps.set("ERR", handler);
        setCode(interpreter, exitCode);
      }
    },
  };
}

function outputOf(error: Readonly<Output>): Output & { readonly exitCode: number } {
  return { stdout: error.stdout, stderr: error.stderr, exitCode: codeOf(error) };
}

function codeOf(result: unknown): number {
  const code: unknown = typeof result === "object" && result !== null ? Reflect.get(result, "exitCode") : 0;
  return typeof code === "number" ? code : 0;
}

function depthOf({ ctx: { state } }: Interpreter): number {
  const depth: unknown = Reflect.get(state, "callDepth");
  if (typeof depth !== "number") throw new Error("just-bash counts calls elsewhere: was it updated?");
  return depth;
}

function setCode({ ctx: { state } }: Interpreter, code: number): void {
  Reflect.set(state, "lastExitCode", code);
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  variables.set("?", String(code));
}
