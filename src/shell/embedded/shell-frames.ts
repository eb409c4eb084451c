import type { Interpreter } from "./running-script.ts";
import { isHarmless } from "./signals.ts";
import type { Signal, Span } from "./spans.ts";

/** A shell that runs: of a command, a job, a script, `bash -c`, a subshell or a substitution. */
export interface ShellFrame {
  readonly pid: number;
  /** `$$`: that of the program that it is a part of. */
  readonly programPid: number;
  /** The one that runs it; null: it is the command itself. */
  readonly outer: ShellFrame | null;
  /** It runs one command alone, so a script that this command runs has its number, as if it had taken its place. */
  readonly givesWay: boolean;
  /** What was set with `trap`, by the names of signals without SIG, and EXIT and ERR; an empty one is ignored. A shell inherits the signals that are ignored, and ERR under `set -E`. */
  readonly traps: Map<string, string>;
  /** What `trap -p` tells instead: a subshell knows the traps around it until it sets one. null: nothing else. */
  told: ReadonlyMap<string, string> | null;
  /** Signals that its traps have to be run for. */
  readonly pending: Signal[];
  /** Calls of functions around its beginning. */
  readonly depth: number;
  /** Ends what runs in it now, if it is a part of a job; true: that takes signals itself. */
  readonly interrupt: ((signal: Signal) => boolean) | null;
  /** Ends its `wait`. */
  wake: ((signal: Signal) => void) | null;
  /** The signal that it ends by; null: none. */
  dead: Signal | null;
  /** One of those that are pending, which ends it when its trap has run; null: none does. */
  endsAfter: Signal | null;
  /** It ends, and runs its EXIT trap. */
  isEnding: boolean;
  /** `set -E` */
  tracesErrors: boolean;
}

/** A job before its shell runs. */
export interface Forked {
  readonly pid: number;
  readonly outer: ShellFrame | null;
  readonly interrupt: (signal: Signal) => boolean;
  /** A signal that came before its shell began; null: none. */
  readonly early: () => Signal | null;
  /** What it has of the shell that begins it, beside variables. */
  readonly inherit: (state: object) => void;
}

const frames = new WeakMap<Interpreter, ShellFrame>();

/** The innermost shell that the interpreter is in; null: it is in none. */
export function shellOf(interpreter: Interpreter): ShellFrame | null {
  return frames.get(interpreter) ?? null;
}

export function setShell(interpreter: Interpreter, frame: ShellFrame | null): void {
  if (frame === null) frames.delete(interpreter);
  else frames.set(interpreter, frame);
}

const begunBy = new WeakMap<Interpreter, ShellFrame | Forked>();

/** What began the script of an interpreter; null: it is the command itself. */
export function beginnerOf(interpreter: Interpreter): ShellFrame | Forked | null {
  return begunBy.get(interpreter) ?? null;
}

/** Not the name of any variable that a script can set. */
const handedOver = "vibey shell";

/** Variables for a script that the shell or the job runs. */
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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- handed over above, as is known of it.
  const by = typeof given === "object" && given !== null && known.has(given) ? (given as ShellFrame | Forked) : null;
  if (by === null) return;
  begunBy.set(interpreter, by);
  if ("inherit" in by) by.inherit(interpreter.ctx.state);
}

/** What a signal does to a shell: its trap runs at its next step, or it ends there. */
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

/** Ends a shell by a signal that comes once, with what runs in it: when its trap has run, if it has one. One that ignores the signal continues. */
export function endShell(frame: ShellFrame, signal: Signal): void {
  const isTrapped = (frame.traps.get(signal.name.slice(3)) ?? "") !== "";
  if (isTrapped) frame.endsAfter = signal;
  sendToShell(frame, signal);
  // A trap runs when the command has ended that runs now.
  if (isTrapped) frame.interrupt?.(signal);
}

const inSpans = new WeakMap<Span, Set<ShellFrame>>();

/** Notes that a shell runs in a span. Returns what takes that back. */
export function enterSpan(span: Span | null, frame: ShellFrame): () => void {
  if (span === null) return () => undefined;
  const inside = inSpans.get(span) ?? new Set();
  inSpans.set(span, inside.add(frame));
  return () => void inside.delete(frame);
}

/** The shells of a span run their traps for the signal; false: none has one. */
export function trapIn(span: Span, signal: Signal): boolean {
  const name = signal.name.slice(3);
  const trapping = [...(inSpans.get(span) ?? [])].filter(({ traps }) => signal.number !== 9 && traps.has(name));
  for (const frame of trapping) sendToShell(frame, signal);
  return trapping.length > 0;
}

/** `set -E`, which just-bash takes and does not keep. */
export function noteOptions(interpreter: Interpreter, words: readonly unknown[]): void {
  const frame = shellOf(interpreter);
  if (frame === null) return;
  for (const [i, given] of words.entries()) {
    const [, sign, letters = ""] = /^([-+])(\w+)$/.exec(String(given)) ?? [];
    if (letters.includes("E") || (letters.endsWith("o") && words[i + 1] === "errtrace")) frame.tracesErrors = sign === "-";
  }
}

/** A signal by which the shell, or one around it, has to end; null: it can continue. A shell around it that ends after a trap waits for it to end. */
export function deathOf(frame: ShellFrame): Signal | null {
  for (let each: ShellFrame | null = frame; each !== null && !each.isEnding; each = each.outer) {
    if (each.dead !== null) return each.dead;
    if (each !== frame && each.endsAfter !== null && each.pending.includes(each.endsAfter)) return each.endsAfter;
  }
  return null;
}
