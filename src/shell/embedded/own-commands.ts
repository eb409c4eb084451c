// The shell's own commands that just-bash lacks, or answers wrongly.
import { exactLet } from "./arithmetic-calls.ts";
import { caller } from "./call-stack.ts";
import { printArrays } from "./declared-arrays.ts";
import { withLongDeclarations } from "./exact-integers.ts";
import { exactOperands, tooLong } from "./exact-tests.ts";
import { declaredFunctions, exportFunctions, functionsOf, typeOfFunction } from "./exported-functions.ts";
import { methodOf } from "./find-interpreter.ts";
import { listsVariables, withoutHelpers } from "./helper-variables.ts";
import { isInputFile } from "./input-file.ts";
import { declaring } from "./many-words.ts";
import { readableSource } from "./readable-source.ts";
import type { Interpreter } from "./running-script.ts";
import { withReason } from "./test-messages.ts";
import { isOutput } from "./traps.ts";
import type { CallResult } from "./watcher.ts";

/** Calls of the shell's own commands that just-bash answers wrongly. `changed` makes the call with other words. */
export function mended(
  interpreter: Interpreter,
  name: string,
  words: readonly unknown[],
  plain: () => Promise<unknown>,
  changed: (words: readonly unknown[]) => Promise<unknown>,
): () => Promise<unknown> {
  if (name === "[" || name === "test") {
    const wrong = tooLong(words);
    if (wrong !== undefined)
      return () => Promise.resolve({ stdout: "", stderr: `bash: ${name}: ${wrong}: integer expression expected\n`, exitCode: 2 });
    const exact = exactOperands(words);
    return () => withReason(name, words, exact === words ? plain() : changed(exact));
  }
  if (name === "getopts") return () => withOptarg(interpreter, words, plain());
  if (listsVariables(name, words)) return () => withoutHelpers(interpreter, plain);
  if (declaring.has(name)) return () => withLongDeclarations(interpreter, words, plain);
  const isLookup = name === "command" && /^-p?[vV]$/.test(String(words[0])) && words.length > 1;
  const inPath = (each: string): Promise<unknown> => Reflect.apply(methodOf(interpreter, "findCommandInPath"), interpreter, [each]);
  return isLookup ? () => lookedUp(words.map(String), changed, inPath) : plain;
}

/** Whether `declare` must replace `local`, which lacks attributes such as `-x` and `-i`. In a function, `declare` also declares local variables. */
export function declares({ ctx: { state } }: Interpreter, words: unknown): boolean {
  const [flags]: unknown[] = Array.isArray(words) ? words : [];
  return typeof flags === "string" && /^-\w*[ilrux]/.test(flags) && Number(Reflect.get(state, "callDepth")) > 0;
}

/** Runs those of the shell's own commands that just-bash lacks. `skipsFunctions`: a function of that name isn't meant. Null: it is another command. */
export function ownAnswer(interpreter: Interpreter, name: unknown, words: readonly unknown[], skipsFunctions: boolean): CallResult | null {
  if (name === "export") return exportFunctions(interpreter, words.map(String));
  if (name === "declare" || name === "typeset")
    return declaredFunctions(interpreter, words.map(String)) ?? printArrays(interpreter, words.map(String));
  if (name === "type" && words.length === 1) return typeOfFunction(interpreter, String(words[0]));
  if (name === "let") return exactLet(interpreter, words.map(String));
  if ((name !== "caller" && name !== "times" && name !== "cd") || (!skipsFunctions && functionsOf(interpreter).has(name))) return null;
  // just-bash would use the first of several folders.
  if (name === "cd")
    return hasManyFolders(words.map(String)) ? { stdout: "", stderr: "bash: cd: too many arguments\n", exitCode: 1 } : null;
  if (name === "caller") return caller(interpreter, words);
  // Processor time is not measured here.
  return { stdout: "0m0.000s 0m0.000s\n".repeat(2), stderr: "", exitCode: 0 };
}

/** The text that `eval` runs, in a form that just-bash can parse. */
export function evalWords(words: readonly unknown[]): readonly unknown[] {
  const text = words.join(" ");
  const readable = readableSource(text);
  return readable === text ? words : [readable];
}

/** `command -v`, which in just-bash doesn't find files in the folders of PATH. */
async function lookedUp(
  [option = "", ...given]: readonly string[],
  run: (words: readonly string[]) => Promise<unknown>,
  inPath: (name: string) => Promise<unknown>,
): Promise<unknown> {
  const all = { stdout: "", stderr: "", exitCode: 1 };
  for (const name of given[0] === "--" ? given.slice(1) : given) {
    const result = await run([option, name]);
    if (!isOutput(result)) return result;
    const isFound = Reflect.get(result, "exitCode") === 0;
    const paths = isFound || name.includes("/") ? [] : await inPath(name);
    const [path]: unknown[] = Array.isArray(paths) ? paths : [];
    if (isFound || typeof path === "string") all.exitCode = 0;
    if (typeof path === "string") all.stdout += option.endsWith("V") ? `${name} is ${path}\n` : `${path}\n`;
    else {
      all.stdout += result.stdout;
      all.stderr += result.stderr;
    }
  }
  return all;
}

/** Unsets OPTARG where there is no option with a value. just-bash sets it to "". */
async function withOptarg({ ctx: { state } }: Interpreter, words: readonly unknown[], work: Promise<unknown>): Promise<unknown> {
  const result = await work;
  const variables: unknown = Reflect.get(state, "env");
  const [options, name] = words.map(String);
  if (!(variables instanceof Map) || variables.get("OPTARG") !== "" || options === undefined) return result;
  const option = String(variables.get(name));
  if (option === "?" || !options.includes(`${option}:`)) variables.delete("OPTARG");
  return result;
}

/** The call without its input, if it runs that input. */
export function withoutSourced(name: unknown, words: unknown, call: readonly unknown[]): readonly unknown[] {
  return (name === "source" || name === ".") && Array.isArray(words) && isInputFile(words[0]) ? call.with(3, "") : call;
}

function hasManyFolders(words: readonly string[]): boolean {
  const first = words.findIndex((word) => !/^-[LPe@]+$/.test(word));
  return words.slice(words[first] === "--" ? first + 1 : first).length > 1 && first >= 0;
}
