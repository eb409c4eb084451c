import type { Interpreter } from "./running-script.ts";

/** Of each call of a command, by its words. */
const callers = new WeakMap<object, Interpreter>();

export function setCaller(words: object, interpreter: Interpreter): void {
  callers.set(words, interpreter);
}

/** The interpreter that a command was called in, by the words that it was given. */
export function callerOf(words: readonly string[]): Interpreter {
  const caller = callers.get(words);
  if (caller === undefined) throw new Error("just-bash calls its commands with other words: was it updated?");
  return caller;
}
