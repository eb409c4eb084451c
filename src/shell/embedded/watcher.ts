import { mendExports } from "./exported.ts";
import { setVersion } from "./fresh-program.ts";
import type { Interpreter } from "./running-script.ts";

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

export function watcherOf(interpreter: Interpreter): Watcher | null {
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
