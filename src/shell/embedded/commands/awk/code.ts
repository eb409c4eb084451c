import type { Value } from "./values.ts";

/** A compiled expression. One that waits for a file or a command returns a promise; all others return at once, which is many times as fast. */
export type Code = { readonly waits: false; readonly run: () => Value } | { readonly waits: true; readonly run: () => Promise<Value> };

export const now = (run: () => Value): Code => ({ waits: false, run });
export const later = (run: () => Promise<Value>): Code => ({ waits: true, run });

/** Evaluates the parts in order and passes their values to `use`. */
export function from(parts: readonly Code[], use: (...values: Value[]) => Value): Code {
  const plain = allNow(parts);
  if (plain === null) return later(async () => use(...(await valuesOf(parts))));
  const [first, second, third] = plain;
  if (first === undefined) return now(() => use());
  if (second === undefined) return now(() => use(first.run()));
  if (third === undefined) return now(() => use(first.run(), second.run()));
  return now(() => use(...plain.map((part) => part.run())));
}

export function fromLater(parts: readonly Code[], use: (...values: Value[]) => Promise<Value>): Code {
  return later(async () => use(...(await valuesOf(parts))));
}

async function valuesOf(parts: readonly Code[]): Promise<Value[]> {
  const values: Value[] = [];
  for (const part of parts) values.push(part.waits ? await part.run() : part.run());
  return values;
}

type NowCode = Extract<Code, { readonly waits: false }>;

function allNow(parts: readonly Code[]): readonly NowCode[] | null {
  const plain: NowCode[] = [];
  for (const part of parts) {
    if (part.waits) return null;
    plain.push(part);
  }
  return plain;
}

/** How a statement ended. */
export type Flow = null | "break" | "continue" | "next" | "nextfile" | "exit" | "return";

export type Step = { readonly waits: false; readonly run: () => Flow } | { readonly waits: true; readonly run: () => Promise<Flow> };

export const stepNow = (run: () => Flow): Step => ({ waits: false, run });
export const stepLater = (run: () => Promise<Flow>): Step => ({ waits: true, run });

/** Evaluates the parts in order, then calls `use`. */
export function stepFrom(parts: readonly Code[], use: (...values: Value[]) => Flow): Step {
  const plain = allNow(parts);
  if (plain === null) return stepLater(async () => use(...(await valuesOf(parts))));
  const [first, second] = plain;
  if (first !== undefined && second === undefined) return stepNow(() => use(first.run()));
  return stepNow(() => use(...plain.map((part) => part.run())));
}
