import type { Interpreter } from "./running-script.ts";

/** The names that `export -f` was called with, of each interpreter. */
const exported = new WeakMap<Interpreter, Set<string>>();

/** Not the name of any variable that a script can set. */
const handedOver = "vibey functions";

/** `export -f`, which just-bash does not have. Returns what it answers; null: the call is another. */
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

/** Variables for a script that the interpreter runs, with its exported functions. */
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

/** Takes them from the variables of an interpreter that has run nothing yet. */
export function takeFunctions(interpreter: Interpreter, variables: Map<string, unknown>): void {
  const given = variables.get(handedOver);
  variables.delete(handedOver);
  if (!(given instanceof Map)) return;
  const functions = functionsOf(interpreter);
  for (const [name, body] of given) functions.set(String(name), body);
  exported.set(interpreter, new Set([...given.keys()].map(String)));
}

export function functionsOf({ ctx: { state } }: Interpreter): Map<string, unknown> {
  const functions: unknown = Reflect.get(state, "functions");
  if (!(functions instanceof Map)) throw new Error("just-bash keeps its functions elsewhere: was it updated?");
  return functions;
}
