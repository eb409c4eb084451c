import type { Context } from "./commands/answer.ts";

/** `number`: a process that it ends has 128 more as its exit code. */
export interface Signal {
  readonly name: string;
  readonly number: number;
}

/**
 * What one `timeout` or one job runs: its commands, and whatever those run. just-bash's own signal throws away what they printed, and ends the whole script when a
 * command takes longer than 100 ms to end; so a span has its own. A command that waits hears of the end by its context's signal, shell code at its next
 * command.
 */
export interface Span {
  /** The one that it is in. */
  readonly outer: Span | null;
  /** It has to end. Looks at the clock, too: code that computes lets no timer fire. */
  isOver(): boolean;
  /** The last that was sent; null: none, and it continues. */
  readonly sent: Signal | null;
  /** Aborts with the first signal that is sent. */
  readonly ended: AbortSignal;
  /** Called with each signal that is sent from now on, until what this returns is called. It answers true when it ends as it likes. */
  onSignal(listener: (signal: Signal) => unknown): () => void;
}

export interface OwnSpan extends Span {
  send(signal: Signal): void;
  /** Ends what runs in it now; what runs next is not ended. Returns whether something takes the signal, and ends as it likes. */
  interrupt(signal: Signal): boolean;
  /** Its time does not count anymore; what is still in it continues. */
  close(): void;
}

const all = new WeakSet<object>();

/** `look` is called wherever the time may be over, and sends a signal if it is. `outer`: the span that it is in, whose signals are its own, too. */
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
  /** A span that is closed and empty is let go. */
  function rest(): void {
    if (isOpen || listeners.size > 0) return;
    leave?.();
    leave = null;
  }
}

/** Of a command in a span, by its context's signal. */
const commands = new WeakMap<AbortSignal, { readonly span: Span; takesSignals: boolean }>();

/** The span that a command is in; null: none. */
export function spanOf({ signal }: Context): Span | null {
  return (signal && commands.get(signal)?.span) ?? null;
}

/** For a command that ends as its signals say, and with an exit code of its own: `take` is called with each, also one that came before. */
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

/** For a program that may have handlers of its own: one whose signal `take` answers true to is not ended by it, and exits as it likes. */
export function handleSignals(context: Context, take: (signal: Signal) => boolean): () => void {
  const command = context.signal && commands.get(context.signal);
  if (command === undefined) return () => undefined;
  return command.span.onSignal((signal) => {
    const isTaken = take(signal);
    command.takesSignals = isTaken;
    return isTaken;
  });
}

/** Runs a command in a span. One that does not take signals was ended by the first. */
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

/** A script that a command runs with the one signal gets the other: its span ends it by itself, and keeps what it printed. */
export function passInstead(signal: AbortSignal, other: AbortSignal | undefined): void {
  instead.set(signal, other ?? null);
}

export function signalToPass(signal: AbortSignal | undefined): AbortSignal | undefined {
  const other = signal && instead.get(signal);
  return other === undefined ? signal : (other ?? undefined);
}

/** Scripts that are asked for with these words are in the span, and what they run. */
const asked = new WeakMap<object, Span>();

export function runsIn(span: Span, args: string[]): string[] {
  asked.set(args, span);
  return args;
}

export function spanAsked(args: unknown): Span | null {
  return (typeof args === "object" && args !== null && asked.get(args)) || null;
}

/** Not the name of any variable that a script can set. */
const handedOver = "vibey span";

/** Variables for a script that is in the span, too. */
export function withSpan(env: Readonly<Record<string, string>> | undefined, span: Span | null): Record<string, string> {
  const given = { ...env };
  if (span !== null) Reflect.set(given, handedOver, span);
  return given;
}

/** Takes the span from a script's variables; null: it is in none. */
export function takeSpan(variables: Map<string, unknown>): Span | null {
  const given = variables.get(handedOver);
  variables.delete(handedOver);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made above, as is known of it.
  return typeof given === "object" && given !== null && all.has(given) ? (given as Span) : null;
}
