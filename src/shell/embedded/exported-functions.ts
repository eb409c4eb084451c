import type { Interpreter } from "./running-script.ts";
import type { Statement } from "./script-nodes.ts";

/** The names that each interpreter has exported with `export -f`. */
const exported = new WeakMap<Interpreter, Set<string>>();

/** A script can't set a variable of this name. */
const handedOver = "vibey functions";

/** `export -f`, which just-bash lacks. Returns its result; null: it is another call. */
export function exportFunctions(
  interpreter: Interpreter,
  words: readonly string[],
): { stdout: string; stderr: string; exitCode: number } | null {
  if (!/^-\w*f/.test(words[0] ?? "")) return null;
  const functions = functionsOf(interpreter);
  const names = exported.get(interpreter) ?? new Set();
  exported.set(interpreter, names);
  let stderr = "";
  for (const name of words.slice(1)) {
    if (words[0]?.includes("n") === true) names.delete(name);
    else if (functions.has(name)) names.add(name);
    else stderr += `bash: export: ${name}: not a function\n`;
  }
  return { stdout: "", stderr, exitCode: stderr === "" ? 0 : 1 };
}

/** The names of the exported functions. */
export function exportedFunctions(interpreter: Interpreter): ReadonlySet<string> {
  return exported.get(interpreter) ?? new Set();
}

/** Adds the interpreter's exported functions to the variables of a script that it runs. */
export function withFunctions(env: Readonly<Record<string, string>> | undefined, interpreter: Interpreter): Record<string, string> {
  const given = { ...env };
  const names = exported.get(interpreter);
  if (names === undefined || names.size === 0) return given;
  const functions = functionsOf(interpreter);
  Reflect.set(
    given,
    handedOver,
    new Map([...names].flatMap((name) => (functions.has(name) ? [[name, functions.get(name)] as const] : []))),
  );
  return given;
}

/** Moves the exported functions from the variables into an interpreter that has not run anything yet. */
export function takeFunctions(interpreter: Interpreter, variables: Map<string, unknown>): void {
  const given = variables.get(handedOver);
  variables.delete(handedOver);
  if (!(given instanceof Map)) return;
  const functions = functionsOf(interpreter);
  for (const [name, body] of given) functions.set(String(name), body);
  exported.set(interpreter, new Set([...given.keys()].map(String)));
}

/** The source text of function definitions, by the function's body. */
const texts = new WeakMap<object, string>();

/** Called for each statement of a parsed script. */
export function noteFunction({ pipelines: [pipeline, ...more], sourceText }: Statement): void {
  const [command, another] = pipeline?.commands ?? [];
  if (more.length === 0 && another === undefined && command?.type === "FunctionDef" && sourceText !== undefined)
    texts.set(command.body, sourceText);
}

/** `declare -f`, for which just-bash prints nothing: prints functions as written. Null: it is another call. */
export function declaredFunctions(
  interpreter: Interpreter,
  words: readonly string[],
): { stdout: string; stderr: string; exitCode: number } | null {
  if (words[0] !== "-f") return null;
  const functions = functionsOf(interpreter);
  const names = words.length > 1 ? words.slice(1) : [...functions.keys()].toSorted();
  const found = names.map((name) => texts.get(Object(Reflect.get(Object(functions.get(name)), "body"))));
  if (names.some((name, i) => functions.has(name) && found[i] === undefined)) return null;
  const stdout = found.flatMap((text) => (text === undefined ? [] : [`${text}\n`])).join("");
  return { stdout, stderr: "", exitCode: found.includes(undefined) ? 1 : 0 };
}

/** `type name`, for which just-bash prints only a part of the function. Null: it is no function, or its source text is unknown. */
export function typeOfFunction(interpreter: Interpreter, name: string): { stdout: string; stderr: string; exitCode: number } | null {
  const text = texts.get(Object(Reflect.get(Object(functionsOf(interpreter).get(name)), "body")));
  return text === undefined ? null : { stdout: `${name} is a function\n${text}\n`, stderr: "", exitCode: 0 };
}

export function functionsOf({ ctx: { state } }: Interpreter): Map<string, unknown> {
  const functions: unknown = Reflect.get(state, "functions");
  if (!(functions instanceof Map)) throw new Error("just-bash keeps its functions elsewhere: was it updated?");
  return functions;
}
