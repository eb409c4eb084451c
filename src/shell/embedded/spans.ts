import type { Context } from "./commands/answer.ts";

/** `number`: a process that is ended by the signal has the exit code 128 plus this. */
export interface Signal {
  readonly name: string;
  readonly number: number;
}

/**
 * What one `timeout` or one job runs: its commands, and whatever those run. just-bash's own signal discards their output, and ends the whole script
 * if a command takes longer than 100 ms to end, so a span has its own signals. A waiting command learns of the end through its context's signal,
 * shell code at its next command.
 */
export interface Span {
  /** The enclosing span. */
  readonly outer: Span | null;
  /** Whether it must end. Also checks the clock, because no timer fires while code computes. */
  isOver(): boolean;
  /** The last signal sent; null: none, and the span continues. */
  readonly sent: Signal | null;
  /** Aborts with the first signal that is sent. */
  readonly ended: AbortSignal;
  /**
   * Calls the listener for each signal from now on, until the returned function is called. The listener returns true if it handles the signal itself.
   */
  onSignal(listener: (signal: Signal) => unknown): () => void;
}

export interface OwnSpan extends Span {
  send(signal: Signal): void;
  /** Ends what runs in it now, but not what runs next. Returns whether something handles the signal itself. */
  interrupt(signal: Signal): boolean;
  /** Its time no longer counts; what is still in it continues. */
  close(): void;
}

const all = new WeakSet<object>();

/** `look` is called wherever the time may be over, and sends a signal if it is. `outer`: the enclosing span; its signals also apply to this one. */
export function createSpan(outer: Span | null, look: () => void): OwnSpan {
  let stopper = new AbortController();
  const listeners = new Set<(signal: Signal) => unknown>();
  let sent = outer?.sent ?? null;
  let isOpen = true;
  let leave: (() => void) | null = null;
  if (sent !== null) stopper.abort();

  const span: OwnSpan = {
    outer,
    isOver() {
      if (outer?.isOver() === true && outer.sent !== null) sent ??= outer.sent;
      if (isOpen && sent === null) look();
      return sent !== null;
    },
    get sent() {
      return sent;
    },
    get ended() {
      return stopper.signal;
    },
    onSignal(listener) {
      hear();
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        rest();
      };
    },
    send(signal) {
      sent = signal;
      for (const listener of listeners) listener(signal);
      stopper.abort();
    },
    interrupt(signal) {
      if (sent !== null) return false;
      const taken = [...listeners].map((listener) => listener(signal) === true);
      stopper.abort();
      stopper = new AbortController();
      return taken.includes(true);
    },
    close() {
      isOpen = false;
      rest();
    },
  };
  hear();
  all.add(span);
  return span;

  function hear(): void {
    leave ??= outer?.onSignal((signal) => span.send(signal)) ?? null;
  }
  /** Releases a span that is closed and empty. */
  function rest(): void {
    if (isOpen || listeners.size > 0) return;
    leave?.();
    leave = null;
  }
}

/** The span of a command, by the signal of the command's context. */
const commands = new WeakMap<AbortSignal, { readonly span: Span; takesSignals: boolean }>();

/** The span that a command is in; null if there is none. */
export function spanOf({ signal }: Context): Span | null {
  return (signal && commands.get(signal)?.span) ?? null;
}

/** For a command that handles signals itself and has its own exit code: `take` is called for each signal, including one that came before. */
export function takeSignals(context: Context, take: (signal: Signal) => void): () => void {
  const command = context.signal && commands.get(context.signal);
  if (command === undefined) return () => undefined;
  command.takesSignals = true;
  if (command.span.sent !== null) take(command.span.sent);
  return command.span.onSignal((signal) => {
    take(signal);
    return true;
  });
}

/** For a program that may have its own handlers. If `take` returns true, the signal does not end the program. */
export function handleSignals(context: Context, take: (signal: Signal) => boolean): () => void {
  const command = context.signal && commands.get(context.signal);
  if (command === undefined) return () => undefined;
  return command.span.onSignal((signal) => {
    const isTaken = take(signal);
    command.takesSignals = isTaken;
    return isTaken;
  });
}

/** Runs a command in a span. The first signal ends it, unless it handles signals itself. */
export async function runInSpan<Result extends { readonly exitCode: number }>(
  span: Span,
  context: Context,
  run: (context: Context) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  const stop = (): void => own.abort();
  const signals = context.signal ? [span.ended, context.signal] : [span.ended];
  for (const signal of signals) {
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  }
  passInstead(own.signal, context.signal);
  const command = { span, takesSignals: false };
  commands.set(own.signal, command);
  let sent = span.sent;
  const stopHearing = span.onSignal((signal) => void (sent = signal));
  const inside: Context = Object.defineProperties(Object.create(Object.getPrototypeOf(context)), {
    ...Object.getOwnPropertyDescriptors(context),
    signal: { value: own.signal, enumerable: true },
  });
  try {
    const result = await run(inside);
    return sent === null || command.takesSignals ? result : { ...result, exitCode: 128 + sent.number };
  } finally {
    stopHearing();
    for (const signal of signals) signal.removeEventListener("abort", stop);
  }
}

const instead = new WeakMap<AbortSignal, AbortSignal | null>();

/** A script that a command runs with one signal gets the other instead: its span ends it, and keeps its output. */
export function passInstead(signal: AbortSignal, other: AbortSignal | undefined): void {
  instead.set(signal, other ?? null);
}

export function signalToPass(signal: AbortSignal | undefined): AbortSignal | undefined {
  const other = signal && instead.get(signal);
  return other === undefined ? signal : (other ?? undefined);
}

/** Scripts that are requested with these words belong to the span, with everything they run. */
const asked = new WeakMap<object, Span>();

export function runsIn(span: Span, args: string[]): string[] {
  asked.set(args, span);
  return args;
}

export function spanAsked(args: unknown): Span | null {
  return (typeof args === "object" && args !== null && asked.get(args)) || null;
}

/** A script can't set a variable of this name. */
const handedOver = "vibey span";

/** Adds the span to the variables of a script that belongs to it. */
export function withSpan(env: Readonly<Record<string, string>> | undefined, span: Span | null): Record<string, string> {
  const given = { ...env };
  if (span !== null) Reflect.set(given, handedOver, span);
  return given;
}

/** Takes the span from a script's variables; null: it is in none. */
export function takeSpan(variables: Map<string, unknown>): Span | null {
  const given = variables.get(handedOver);
  variables.delete(handedOver);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was made above: `all` contains it.
  return typeof given === "object" && given !== null && all.has(given) ? (given as Span) : null;
}
