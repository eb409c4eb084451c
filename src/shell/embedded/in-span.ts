import type { Context } from "./commands/answer.ts";
import type { Interpreter } from "./running-script.ts";
import { runInSpan, type Span } from "./spans.ts";

const spans = new WeakMap<Interpreter, Span>();

/** The span that a script is in; null if there is none. */
export function spanOfScript(interpreter: Interpreter): Span | null {
  return spans.get(interpreter) ?? null;
}

/** A command in just-bash's own table. */
interface Entry {
  readonly execute: (args: readonly string[], context: Context) => Promise<{ readonly exitCode: number }>;
  readonly internalOriginalCommand?: Entry;
}

/** The commands of each span. */
const known = new WeakMap<Span, Map<string, Entry>>();

/** From now on, what the script runs belongs to the span. */
export function putInSpan(interpreter: Interpreter, span: Span): void {
  const commands: unknown = Reflect.get(interpreter.ctx, "commands");
  if (!(commands instanceof Map)) throw new Error("just-bash keeps its commands elsewhere: was it updated?");
  let inside = known.get(span);
  if (inside === undefined) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- just-bash stores these there.
    inside = new Map([...(commands as Map<string, Entry>)].map(([name, entry]) => [name, within(span, entry)]));
    known.set(span, inside);
  }
  spans.set(interpreter, span);
  Reflect.set(interpreter.ctx, "commands", inside);
}

function within(span: Span, entry: Entry): Entry {
  const original = entry.internalOriginalCommand;
  return {
    ...entry,
    execute: (args, context) => runInSpan(span, context, (inside) => entry.execute(args, inside)),
    ...(original ? { internalOriginalCommand: within(span, original) } : {}),
  };
}
