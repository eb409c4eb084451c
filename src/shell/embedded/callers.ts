import type { Interpreter } from "./running-script.ts";

/** The interpreter of each command call, by the call's words. */
const callers = new WeakMap<object, Interpreter>();

export function setCaller(words: object, interpreter: Interpreter): void {
  callers.set(words, interpreter);
}

/** The interpreter that called a command, by the words that the command was given. */
export function callerOf(words: readonly string[]): Interpreter {
  const caller = callers.get(words);
  if (caller === undefined) throw new Error("just-bash calls its commands with other words: was it updated?");
  return caller;
}
