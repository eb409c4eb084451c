import type { Interpreter } from "./running-script.ts";
import { isHarmless } from "./signals.ts";
import type { Signal, Span } from "./spans.ts";

/** A running shell: of a command, a job, a script, `bash -c`, a subshell or a substitution. */
export interface ShellFrame {
  readonly pid: number;
  /** `$$`: the id of the program that it is part of. */
  readonly programPid: number;
  /** The enclosing shell; null: it is the command's own shell. */
  readonly outer: ShellFrame | null;
  /** It runs a single command, so a script that this command runs gets its id, as if it had replaced it. */
  readonly givesWay: boolean;
  /**
   * The traps, by signal names without SIG, and EXIT and ERR; an empty one means that the signal is ignored. A shell inherits the ignored signals,
   * and under `set -E` also ERR.
   */
  readonly traps: Map<string, string>;
  /** What `trap -p` lists instead: a subshell knows the enclosing traps until it sets one. Null: `traps`. */
  told: ReadonlyMap<string, string> | null;
  /** Signals whose traps must run. */
  readonly pending: Signal[];
  /** The number of function calls around its start. */
  readonly depth: number;
  /** Ends what runs in it now, if it is part of a job. Returns true if that handles signals itself. */
  readonly interrupt: ((signal: Signal) => boolean) | null;
  /** Ends its `wait`. */
  wake: ((signal: Signal) => void) | null;
  /** The signal that it ends by; null if none. */
  dead: Signal | null;
  /** The pending signal that ends it after its trap has run; null if none. */
  endsAfter: Signal | null;
  /** It is ending, and runs its EXIT trap. */
  isEnding: boolean;
  /** Whether `set -E` is in effect. */
  tracesErrors: boolean;
}

/** A job before its shell runs. */
export interface Forked {
  readonly pid: number;
  readonly outer: ShellFrame | null;
  readonly interrupt: (signal: Signal) => boolean;
  /** A signal that arrived before its shell began; null if none. */
  readonly early: () => Signal | null;
  /** Copies what it inherits from the shell that starts it, except variables. */
  readonly inherit: (state: object) => void;
}

const frames = new WeakMap<Interpreter, ShellFrame>();

/** The innermost shell that the interpreter runs; null if none. */
export function shellOf(interpreter: Interpreter): ShellFrame | null {
  return frames.get(interpreter) ?? null;
}

export function setShell(interpreter: Interpreter, frame: ShellFrame | null): void {
  if (frame === null) frames.delete(interpreter);
  else frames.set(interpreter, frame);
}

const begunBy = new WeakMap<Interpreter, ShellFrame | Forked>();

/** What started the script of an interpreter; null: it is the command itself. */
export function beginnerOf(interpreter: Interpreter): ShellFrame | Forked | null {
  return begunBy.get(interpreter) ?? null;
}

/** A script can't set a variable of this name. */
const handedOver = "vibey shell";

/** Adds the starting shell or job to the variables of a script that it runs. */
export function withBeginner(env: Readonly<Record<string, string>> | undefined, by: ShellFrame | Forked | null): Record<string, string> {
  const given = { ...env };
  if (by !== null) {
    known.add(by);
    Reflect.set(given, handedOver, by);
  }
  return given;
}

const known = new WeakSet<object>();

/** Takes it from the variables of an interpreter that has run nothing yet. */
export function takeBeginner(interpreter: Interpreter, variables: Map<string, unknown>): void {
  const given = variables.get(handedOver);
  variables.delete(handedOver);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was handed over above: `known` contains it.
  const by = typeof given === "object" && given !== null && known.has(given) ? (given as ShellFrame | Forked) : null;
  if (by === null) return;
  begunBy.set(interpreter, by);
  if ("inherit" in by) by.inherit(interpreter.ctx.state);
}

/** Delivers a signal to a shell: its trap runs at the shell's next step, or the shell ends there. */
export function sendToShell(frame: ShellFrame, signal: Signal): void {
  const handler = signal.number === 9 ? undefined : frame.traps.get(signal.name.slice(3));
  if (handler === "" || (handler === undefined && isHarmless(signal))) return;
  if (handler !== undefined) frame.pending.push(signal);
  else {
    const isTaken = frame.interrupt?.(signal) ?? false;
    if (isTaken && frame.givesWay) return;
    frame.dead ??= signal;
  }
  frame.wake?.(signal);
}

/**
 * Ends a shell, and what runs in it, by a signal that is sent once; if it has a trap, after the trap has run. A shell that ignores the signal
 * continues.
 */
export function endShell(frame: ShellFrame, signal: Signal): void {
  const isTrapped = (frame.traps.get(signal.name.slice(3)) ?? "") !== "";
  if (isTrapped) frame.endsAfter = signal;
  sendToShell(frame, signal);
  // A trap runs when the current command has ended.
  if (isTrapped) frame.interrupt?.(signal);
}

const inSpans = new WeakMap<Span, Set<ShellFrame>>();

/** Records that a shell runs in a span. Returns a function that removes the record. */
export function enterSpan(span: Span | null, frame: ShellFrame): () => void {
  if (span === null) return () => undefined;
  const inside = inSpans.get(span) ?? new Set();
  inSpans.set(span, inside.add(frame));
  return () => void inside.delete(frame);
}

/** Lets the shells of a span run their traps for the signal; false: none has one. */
export function trapIn(span: Span, signal: Signal): boolean {
  const name = signal.name.slice(3);
  const trapping = [...(inSpans.get(span) ?? [])].filter(({ traps }) => signal.number !== 9 && traps.has(name));
  for (const frame of trapping) sendToShell(frame, signal);
  return trapping.length > 0;
}

/** Records `set -E`, which just-bash accepts but does not store. */
export function noteOptions(interpreter: Interpreter, words: readonly unknown[]): void {
  const frame = shellOf(interpreter);
  if (frame === null) return;
  for (const [i, given] of words.entries()) {
    const [, sign, letters = ""] = /^([-+])(\w+)$/.exec(String(given)) ?? [];
    if (letters.includes("E") || (letters.endsWith("o") && words[i + 1] === "errtrace")) frame.tracesErrors = sign === "-";
  }
}

/**
 * A signal by which the shell, or an enclosing one, must end; null: it can continue. An enclosing shell that ends after a trap waits for this one to
 * end.
 */
export function deathOf(frame: ShellFrame): Signal | null {
  for (let each: ShellFrame | null = frame; each !== null && !each.isEnding; each = each.outer) {
    if (each.dead !== null) return each.dead;
    if (each !== frame && each.endsAfter !== null && each.pending.includes(each.endsAfter)) return each.endsAfter;
  }
  return null;
}
