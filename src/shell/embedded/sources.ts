import { beginFile, inSourced } from "./call-stack.ts";
import type { Interpreter } from "./running-script.ts";

/** `BASH_SOURCE`, which just-bash sets in functions alone. */

/** Not the name of any variable that a script can set. */
const handedOver = "vibey source";

/** Files that `bash` was called with, by the interpreter that is about to run them. */
const coming = new WeakMap<Interpreter, string>();

/** For a file that is run by its name: just-bash knows it already. */
export function beginSource(interpreter: Interpreter): void {
  const { state } = interpreter.ctx;
  beginFile(interpreter);
  Reflect.set(state, "sourceStack", [Reflect.get(state, "currentSource")]);
}

/** Around a call of a command that may run a file: `source`, or a shell. */
export async function aroundSource(interpreter: Interpreter, name: unknown, words: unknown, run: () => Promise<unknown>): Promise<unknown> {
  const path: unknown = Array.isArray(words) ? words[0] : undefined;
  if (typeof path !== "string") return run();
  if (name === "source" || name === ".") return inSource(interpreter, path, run);
  if ((name !== "bash" && name !== "sh") || path.startsWith("-")) return run();
  coming.set(interpreter, path);
  try {
    return await run();
  } finally {
    coming.delete(interpreter);
  }
}

async function inSource(interpreter: Interpreter, path: string, run: () => Promise<unknown>): Promise<unknown> {
  const { state } = interpreter.ctx;
  const before: unknown = Reflect.get(state, "sourceStack");
  Reflect.set(state, "sourceStack", [path, ...(Array.isArray(before) ? before : [])]);
  try {
    return await inSourced(interpreter, run);
  } finally {
    Reflect.set(state, "sourceStack", before);
  }
}

/** Variables for a script that the interpreter runs, with the file that it is from. */
export function withSource(env: Readonly<Record<string, string>>, interpreter: Interpreter): Record<string, string> {
  const path = coming.get(interpreter);
  coming.delete(interpreter);
  return path === undefined ? env : { ...env, [handedOver]: path };
}

/** Takes it from the variables of an interpreter that has run nothing yet. */
export function takeSource(interpreter: Interpreter, variables: Map<string, unknown>): void {
  const path = variables.get(handedOver);
  variables.delete(handedOver);
  if (path === undefined) return;
  const { state } = interpreter.ctx;
  beginFile(interpreter);
  Reflect.set(state, "currentSource", path);
  Reflect.set(state, "sourceStack", [path]);
}
