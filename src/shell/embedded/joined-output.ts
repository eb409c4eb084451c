import { fromBytes, toBytes } from "./encoding.ts";
import { toBytesOf, toText } from "./stray-bytes.ts";
import { functionsOf } from "./exported-functions.ts";
import type { RunCommand } from "./watcher.ts";
import type { CommandNode, Stream } from "./places.ts";
import { type Interpreter, traces } from "./running-script.ts";
import { type FunctionDef, literal, type Script, single, word } from "./script-nodes.ts";
import { createTerminal, type Print, type Terminal } from "./terminal.ts";
import { isBytes, isOutput, type Output } from "./traps.ts";

/**
 * `command 2>&1`: joins both streams of a command in the order in which it printed. just-bash returns one text per stream and would put the errors
 * after the output. Here the command gets its own terminal, which records the order, and the command returns a single text.
 */
export interface JoinedOutput {
  /** Wraps a command of the shell, which may be a loop or a group. */
  command(interpreter: Interpreter, node: object, run: RunCommand): Promise<unknown>;
  /** Like that of `Watcher`. */
  call(interpreter: Interpreter, called: string | object, run: () => Promise<unknown>): Promise<unknown>;
  script(interpreter: Interpreter, script: object, run: () => Promise<unknown>, isFile: boolean): Promise<unknown>;
  /** Like that of `Terminal`, for the running command; undefined: its streams are not joined. */
  early(): Print | null | undefined;
  /** Like that of `Terminal`. */
  shows(stream: Stream): boolean | undefined;
}

/** The terminal around a joined command. */
export type Outside = Pick<Terminal, "early" | "shows" | "watcher">;

interface Shown {
  /** Null: nothing is shown before the end. */
  readonly live: Print | null;
  /** Like `shows` of `Terminal`. */
  readonly isShown: boolean;
}

interface Bare {
  /** The output around the command. Null: its streams are not joined. */
  readonly shown: Shown | null;
  /** Called when the command has ended, before its redirections write their files. */
  readonly ended: () => void;
}

interface Joined {
  readonly terminal: Terminal;
  readonly isShown: boolean;
  readonly outer: Joined | null;
  /** The interpreters whose scripts the terminal has read. */
  readonly interpreters: WeakSet<Interpreter>;
  hasEnded: boolean;
}

/** The maximum size in UTF-16 units that is kept in order. In longer output, the errors come last. */
const mostInOrder = 8_000_000;

export function createJoinedOutput(outside: Outside): JoinedOutput {
  let last: Joined | null = null;
  /** The interpreters whose next call is a command with joined streams. */
  const coming = new WeakSet<Interpreter>();
  /** Commands without their redirections, whose group has the redirections. */
  const bare = new WeakMap<object, Bare>();

  /** The innermost running one; null if none runs. Programs run commands concurrently, so they may end in any order. */
  function innermost(): Joined | null {
    while (last?.hasEnded === true) last = last.outer;
    return last;
  }

  const around = (): Outside => innermost()?.terminal ?? outside;

  function shown(): Shown {
    return { live: around().early(), isShown: shows("stdout") ?? outside.shows("stdout") };
  }

  function shows(stream: Stream): boolean | undefined {
    const joined = innermost();
    return joined === null ? undefined : joined.isShown && joined.terminal.shows(stream);
  }

  async function join(
    interpreter: Interpreter,
    node: CommandNode,
    { live, isShown }: Shown,
    run: () => Promise<unknown>,
  ): Promise<unknown> {
    const pieces: Piece[] = [];
    let size = 0;
    const terminal = createTerminal(() => false);
    terminal.begin((stream, text) => {
      size += text.length;
      if (size <= mostInOrder) pieces.push({ stream, text });
      live?.(stream, text);
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash's parser created these functions.
    const functions = [...functionsOf(interpreter).values()] as FunctionDef[];
    terminal.read({ type: "Script", statements: [...functions, node].map(single) });
    const joined: Joined = { terminal, isShown, outer: innermost(), interpreters: new WeakSet([interpreter]), hasEnded: false };
    last = joined;
    try {
      const result = await terminal.watcher.command(interpreter, node, run);
      const ordered = isOutput(result) ? inOrder(result, pieces) : null;
      return ordered === null ? result : { ...Object(result), ...ordered, internalOutputAccounting: undefined };
    } catch (error) {
      // An error that ends a script, such as that of `exit`, carries the earlier output.
      if (error instanceof Error && isOutput(error)) {
        const ordered = inOrder(error, pieces);
        if (ordered !== null) Object.assign(error, ordered, { internalOutputAccounting: { stdout: 0, stderr: 0 } });
      }
      throw error;
    } finally {
      terminal.end();
      joined.hasEnded = true;
    }
  }

  function within(interpreter: Interpreter, node: object, run: RunCommand): Promise<unknown> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a command.
    const command = node as CommandNode;
    const inside = bare.get(node);
    if (inside !== undefined) return (inside.shown === null ? run() : join(interpreter, command, inside.shown, run)).finally(inside.ended);
    const isRedirected = command.type !== "FunctionDef" && command.redirections.length > 0;
    if (!isRedirected && !coming.has(interpreter)) return run();
    // `set -x` would show how the command is run.
    const split = traces(interpreter) ? null : splitRedirections(command);
    if (split !== null && (command.type !== "SimpleCommand" || runsHere(interpreter, literal(command.name)))) {
      const folder = folderOf(interpreter);
      bare.set(split.inside, { shown: split.isJoined ? shown() : null, ended: folder.leave });
      return run({ type: "Group", body: [single(split.inside)], redirections: split.redirections }).finally(folder.enterAgain);
    }
    const wasComing = coming.delete(interpreter);
    if (split?.isJoined === true) coming.add(interpreter);
    return run().finally(() => {
      if (wasComing) coming.add(interpreter);
      else coming.delete(interpreter);
    });
  }

  return {
    command(interpreter, node, run) {
      const work = (): Promise<unknown> => within(interpreter, node, run);
      return innermost()?.terminal.watcher.command(interpreter, node, work) ?? work();
    },
    call(interpreter, called, run) {
      if (!coming.delete(interpreter)) return run();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a command.
      const node = typeof called === "string" ? callOf(called) : (called as CommandNode);
      const before = shown();
      // The watcher does not know this command, and shows nothing of what runs in it by itself.
      return around().watcher.command(interpreter, node, () => join(interpreter, node, before, run));
    },
    script(interpreter, script, run, isFile) {
      const joined = innermost();
      if (joined === null) return run();
      if (!joined.interpreters.has(interpreter)) {
        joined.interpreters.add(interpreter);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash runs it as a script.
        joined.terminal.read(script as Script);
      }
      return joined.terminal.watcher.script(interpreter, script, run, isFile);
    },
    early: () => innermost()?.terminal.early(),
    shows,
  };
}

/**
 * Keeps a `cd` in a command from moving the files of its redirections: just-bash looks up their names again when the command has ended.
 */
function folderOf({ ctx: { state } }: Interpreter): { readonly leave: () => void; readonly enterAgain: () => void } {
  const before: unknown = Reflect.get(state, "cwd");
  let last = before;
  return {
    leave: () => {
      last = Reflect.get(state, "cwd");
      Reflect.set(state, "cwd", before);
    },
    enterAgain: () => void Reflect.set(state, "cwd", last),
  };
}

interface Piece {
  readonly stream: Stream;
  readonly text: string;
}

/**
 * Joins both streams in the order of the pieces. Null: the streams stay separate, one after the other, because the terminal's record may lack a part.
 */
function inOrder(result: Output, pieces: readonly Piece[]): Output | null {
  if (result.stdout === "" || result.stderr === "") return null;
  const whole = { stdout: isBytes(result) ? toText(toBytes(result.stdout, "latin1")) : result.stdout, stderr: result.stderr };
  const at = { stdout: 0, stderr: 0 };
  for (const { stream, text } of pieces) {
    if (!whole[stream].startsWith(text, at[stream])) return null;
    at[stream] += text.length;
  }
  const text = [...pieces.map((piece) => piece.text), whole.stdout.slice(at.stdout), whole.stderr.slice(at.stderr)].join("");
  const stdout = isBytes(result) ? fromBytes(toBytesOf(text), "latin1") : text;
  return { stdout, stderr: "" };
}

type Redirection = Exclude<CommandNode, { readonly type: "FunctionDef" }>["redirections"][number];

interface Split {
  /** The command without its redirections. */
  readonly inside: CommandNode;
  readonly redirections: Redirection[];
  /** Both streams go to the same place. */
  readonly isJoined: boolean;
}

/** Null: its output is not redirected, or some redirections are of another kind. */
function splitRedirections(node: CommandNode): Split | null {
  if (node.type === "FunctionDef" || node.redirections.length === 0) return null;
  if (node.type === "SimpleCommand" && (node.name === null || alone.has(literal(node.name) ?? ""))) return null;
  let [stdout, stderr]: [Goal, Goal] = [1, 2];
  let hasOutputs = false;
  for (const redirection of node.redirections) {
    const { fd, fdVariable, operator, target } = redirection;
    if (fdVariable !== undefined || (fd ?? 1) > 2) return null;
    if (operator.startsWith("<")) {
      if ((fd ?? 0) !== 0 || operator === "<&" || operator === "<>") return null;
      continue;
    }
    hasOutputs = true;
    const from = operator === ">&" && target.type === "Word" ? literal(target) : null;
    const goal: Goal = from === "1" ? stdout : from === "2" ? stderr : operator === ">&" ? null : redirection;
    if (goal === null) return null;
    if (operator === "&>" || operator === "&>>") [stdout, stderr] = [goal, goal];
    else if (fd === 2) stderr = goal;
    else stdout = goal;
  }
  return hasOutputs ? { inside: { ...node, redirections: [] }, redirections: node.redirections, isJoined: stdout === stderr } : null;
}

/** A stream, or the redirection that names the file. */
type Goal = 1 | 2 | Redirection | null;

/** Commands that print to one stream only, or that change where the shell's own streams go. */
const alone = new Set([
  "[",
  ":",
  "cat",
  "cd",
  "command",
  "echo",
  "exec",
  "exit",
  "false",
  "grep",
  "printf",
  "return",
  "test",
  "true",
  "type",
  "which",
]);

function callOf(name: string): CommandNode {
  return { type: "SimpleCommand", assignments: [], name: word(name), args: [], redirections: [] };
}

/**
 * Whether it runs in this shell and may end it. The output before that survives through the redirections of a group, but not through those of a call.
 */
function runsHere(interpreter: Interpreter, name: string | null): boolean {
  return name !== null && (runsScript.has(name) || functionsOf(interpreter).has(name));
}

const runsScript = new Set([".", "eval", "source"]);
