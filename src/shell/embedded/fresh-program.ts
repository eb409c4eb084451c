import { exportedFunctions, functionsOf } from "./exported-functions.ts";
import type { Interpreter } from "./running-script.ts";
import { attributeSets } from "./local-attributes.ts";

/** Variables that every shell sets when it starts. */
const own = /^(?:BASH(?:OPTS|PID|_VERSION|_VERSINFO)?|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|SHELLOPTS|PWD|OLDPWD|SHELL|UID|EUID|PPID)$/;
const atStart = new Map([
  ["IFS", " \t\n"],
  ["OPTIND", "1"],
  ["SHELLOPTS", "braceexpand:hashall:interactive-comments"],
  ["BASHOPTS", "globskipdots"],
]);

/** The parts of just-bash's BASH_VERSION and MACHTYPE. */
const version = ["5", "1", "0", "1", "release", "x86_64-pc-linux-gnu"];

/** Sets BASH_VERSINFO, which just-bash lacks. Call it before the first script. */
export function setVersion({ ctx: { state } }: Interpreter): void {
  const arrays: unknown = Reflect.get(state, "arrays");
  if (!(arrays instanceof Map)) throw new Error("just-bash keeps its arrays elsewhere: was it updated?");
  arrays.set("BASH_VERSINFO", { kind: "indexed", elements: new Map(version.map((each, i) => [String(i), each])) });
}

/**
 * Reduces the shell of a file that is run by name to what a new program gets: the exported variables, and no options. just-bash passes on all
 * variables, functions, aliases and options of the calling shell. `interpreter` already has a state of its own for that file.
 */
export function startProgram(interpreter: Interpreter): void {
  const { state } = interpreter.ctx;
  const variables: unknown = Reflect.get(state, "env");
  const arrays: unknown = Reflect.get(state, "arrays");
  if (!(variables instanceof Map) || !(arrays instanceof Map)) throw new Error("just-bash keeps its variables elsewhere: was it updated?");
  const exported = new Set([...namesIn(state, "exportedVars"), ...namesIn(state, "tempExportedVars")]);
  for (const name of variables.keys()) if (/^[A-Za-z_]\w*$/.test(name) && !exported.has(name) && !own.test(name)) variables.delete(name);
  for (const [name, value] of atStart) variables.set(name, value);
  for (const name of arrays.keys()) if (!own.test(name)) arrays.delete(name);
  const functions = functionsOf(interpreter);
  const kept = exportedFunctions(interpreter);
  for (const name of functions.keys()) if (!kept.has(name)) functions.delete(name);
  for (const field of ["associativeArrays", ...attributeSets]) Reflect.set(state, field, new Set());
  Reflect.set(state, "readonlyVars", new Set(["SHELLOPTS", "BASHOPTS"]));
  Reflect.set(state, "exportedVars", exported);
  Reflect.set(state, "tempExportedVars", new Set());
  Reflect.set(state, "declaredVars", new Set());
  for (const field of ["localScopes", "localArrayScopes"]) Reflect.set(state, field, []);
  for (const field of ["localVarDepth", "localVarStack", "fullyUnsetLocals", "tempEnvBindings", "localExportedVars"])
    Reflect.set(state, field, undefined);
  setAll(state, "options", () => false);
  setAll(state, "shoptOptions", (name) => name === "globskipdots");
}

function setAll(state: object, field: string, value: (name: string) => boolean): void {
  const before: unknown = Reflect.get(state, field);
  if (typeof before !== "object" || before === null) throw new Error("just-bash keeps its options elsewhere: was it updated?");
  Reflect.set(state, field, Object.fromEntries(Object.keys(before).map((name) => [name, value(name)])));
}

function namesIn(state: object, field: string): readonly string[] {
  const names: unknown = Reflect.get(state, field);
  return names instanceof Set ? [...names].map(String) : [];
}
