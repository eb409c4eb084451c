import type { Context } from "./commands/answer.ts";
import type { Interpreter } from "./running-script.ts";
import { runInSpan, type Span } from "./spans.ts";

const spans = new WeakMap<Interpreter, Span>();

/** The span that a script is in; null: none. */
export function spanOfScript(interpreter: Interpreter): Span | null {
  return spans.get(interpreter) ?? null;
}

/** A command as just-bash keeps it. */
interface Entry {
  readonly execute: (args: readonly string[], context: Context) => Promise<{ readonly exitCode: number }>;
  readonly internalOriginalCommand?: Entry;
}

/** Each span's commands. */
const known = new WeakMap<Span, Map<string, Entry>>();

/** From now on what the script runs is in the span. */
export function putInSpan(interpreter: Interpreter, span: Span): void {
  const commands: unknown = Reflect.get(interpreter.ctx, "commands");
  if (!(commands instanceof Map)) throw new Error("just-bash keeps its commands elsewhere: was it updated?");
  let inside = known.get(span);
  if (inside === undefined) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what just-bash keeps there.
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
