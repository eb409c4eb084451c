import { beginFile, inSourced } from "./call-stack.ts";
import { beginProgram, withSyntax } from "./error-places.ts";
import { setLineOffset } from "./line-offsets.ts";
import { readableSource } from "./readable-source.ts";
import type { Interpreter } from "./running-script.ts";
import { toBytes } from "./encoding.ts";
import { isInputFile, takeInput } from "./input-file.ts";
import { toText } from "./stray-bytes.ts";
import { isInTrap } from "./trap-context.ts";

/** `BASH_SOURCE`, which just-bash only sets in functions, and the line numbers of texts that are parsed while a script runs. */

/** A script can't set a variable of this name. */
const handedOver = "vibey source";

/** The calls of `bash` whose script is about to run, by the interpreter of the call: the path of the script, or null for a text without a file. */
const coming = new WeakMap<Interpreter, string | null>();

/** The names by which files were called, by the interpreter that is about to run the file. A name may differ from the path. */
const names = new WeakMap<Interpreter, string>();

/** Interpreters that are about to run a file without its first line. */
const shortened = new WeakSet<Interpreter>();

/** The lines of `eval` commands whose text is about to run, by interpreter. */
const evaluating = new WeakMap<Interpreter, number>();

/** Called for a file that is run by name. just-bash already knows the file, by its path. */
export function beginSource(interpreter: Interpreter, script: unknown): void {
  const { state } = interpreter.ctx;
  beginFile(interpreter);
  const name = names.get(interpreter);
  names.delete(interpreter);
  if (name !== undefined) {
    Reflect.set(state, "currentSource", name);
    variablesOf(state).set("0", name);
  }
  Reflect.set(state, "sourceStack", [Reflect.get(state, "currentSource")]);
  if (shortened.delete(interpreter)) setLineOffset(script, 1);
}

/** Wraps the call of a file by a path. */
export async function aroundFile(interpreter: Interpreter, name: string, run: () => Promise<unknown>): Promise<unknown> {
  names.set(interpreter, name);
  try {
    return withSyntax(interpreter, name, await run());
  } finally {
    names.delete(interpreter);
  }
}

/** The name by which the file was called. `path`: the resolved path, for files whose name is unknown. */
export function calledAs(interpreter: Interpreter, path: string): string {
  return names.get(interpreter) ?? path;
}

/** just-bash leaves out the first line of a file if it begins with `#!`. Call this before such a file runs. */
export function noteFirstLine(interpreter: Interpreter): void {
  shortened.add(interpreter);
}

/** Called for every script that an interpreter runs. The lines of an `eval` text count from the line of the `eval`. */
export function beginScript(interpreter: Interpreter, script: unknown): void {
  const line = evaluating.get(interpreter);
  if (line === undefined) return;
  evaluating.delete(interpreter);
  if (!isInTrap(interpreter)) setLineOffset(script, line - 1);
}

/** Wraps a call of a command that may run a text: `source`, `eval` or a shell. `stdin`: the input of the call, which `source /dev/stdin` reads. */
export function aroundSource(
  interpreter: Interpreter,
  name: unknown,
  words: unknown,
  run: () => Promise<unknown>,
  stdin: unknown = "",
): Promise<unknown> {
  const path: unknown = Array.isArray(words) ? words[0] : undefined;
  if (name === "eval") return inEval(interpreter, run);
  if ((name === "source" || name === ".") && typeof path === "string")
    return inSource(interpreter, path, run, isInputFile(path) ? toText(toBytes(takeInput(interpreter, stdin), "latin1")) : null);
  if (typeof name !== "string" || !/^(?:(?:\/usr)?\/bin\/)?(?:ba)?sh$/.test(name)) return run();
  return aroundShell(
    interpreter,
    typeof path === "string" && !path.startsWith("-") ? path : null,
    path === "-c" ? "bash: -c" : "bash",
    run,
  );
}

/** Wraps the call of a shell. `path`: the file that the shell runs; null: it runs another text, which messages name `called`. */
export async function aroundShell(
  interpreter: Interpreter,
  path: string | null,
  called: string,
  run: () => Promise<unknown>,
): Promise<unknown> {
  coming.set(interpreter, path);
  try {
    return withSyntax(interpreter, path ?? called, await run());
  } finally {
    coming.delete(interpreter);
  }
}

async function inEval(interpreter: Interpreter, run: () => Promise<unknown>): Promise<unknown> {
  const line = Number(Reflect.get(interpreter.ctx.state, "currentLine"));
  evaluating.set(interpreter, line);
  try {
    return withSyntax(interpreter, "bash", await run(), line);
  } finally {
    evaluating.delete(interpreter);
  }
}

/** `input`: the text to run instead of the file's; null: that of the file. */
async function inSource(interpreter: Interpreter, path: string, run: () => Promise<unknown>, input: string | null): Promise<unknown> {
  const { state } = interpreter.ctx;
  const before: unknown = Reflect.get(state, "sourceStack");
  Reflect.set(state, "sourceStack", [path, ...(Array.isArray(before) ? before : [])]);
  const restore = readingSource(interpreter, input);
  try {
    return withSyntax(interpreter, path, await inSourced(interpreter, run));
  } finally {
    restore();
    Reflect.set(state, "sourceStack", before);
  }
}

/** Puts the next file that is read into a form that just-bash can parse. Returns a function that undoes this. */
function readingSource({ ctx }: Interpreter, input: string | null): () => void {
  const { fs } = ctx;
  const restore = (): void => void (ctx.fs === reading && Reflect.set(ctx, "fs", fs));
  const readFile = async (...args: readonly unknown[]): Promise<unknown> => {
    const read: unknown = Reflect.get(fs, "readFile");
    if (typeof read !== "function") throw new Error("just-bash reads files otherwise: was it updated?");
    const text: unknown = input ?? (await Reflect.apply(read, fs, args));
    restore();
    return typeof text === "string" ? readableSource(text) : text;
  };
  const reading: object = new Proxy(fs, {
    get(files, name) {
      const value: unknown = name === "readFile" ? readFile : Reflect.get(files, name);
      return typeof value === "function" && name !== "readFile"
        ? (...args: unknown[]) => Reflect.apply(value, files, args) as unknown
        : value;
    },
  });
  Reflect.set(ctx, "fs", reading);
  return restore;
}

/** Adds the file that a script comes from to the script's variables. */
export function withSource(env: Readonly<Record<string, string>>, interpreter: Interpreter): Record<string, string> {
  const path = coming.get(interpreter);
  coming.delete(interpreter);
  return path === undefined ? env : { ...env, [handedOver]: path ?? "" };
}

/** Moves the path from the variables into an interpreter that has not run anything yet. */
export function takeSource(interpreter: Interpreter, variables: Map<string, unknown>): void {
  const path = variables.get(handedOver);
  if (path === undefined) return;
  variables.delete(handedOver);
  const { state } = interpreter.ctx;
  beginProgram(state);
  if (path === "") return;
  beginFile(interpreter);
  Reflect.set(state, "currentSource", path);
  Reflect.set(state, "sourceStack", [path]);
}

function variablesOf(state: object): Map<string, string> {
  const variables: unknown = Reflect.get(state, "env");
  if (!(variables instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  return variables;
}
