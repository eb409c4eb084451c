import { parse } from "cjs-module-lexer";
import { transform } from "sucrase";
import type { SyncFiles } from "../../sync-files.ts";
import { lostNamespace, mayHaveDecorators, whatToUse } from "./left-types.ts";
import { extensionOf } from "./paths.ts";
import { ResolveError, type Resolver } from "./resolve.ts";

export type Format = "commonjs" | "module" | "json";

export interface Source {
  readonly format: Format;
  /** JavaScript with the file's line numbers. */
  readonly code: string;
  /** The file has ES module syntax, and nothing else says that it is an ES module. */
  readonly guessed: boolean;
}

/** A TypeScript file can't be parsed. */
export class TypeScriptError extends Error {}

/** Whether the engine can parse a text as a module of that format. */
export type Parses = (code: string, format: "commonjs" | "module") => boolean;

/** Reads module files as JavaScript. */
export function createSources(files: SyncFiles, resolver: Resolver, parses: Parses) {
  const text = (path: string): string => adapted(new TextDecoder().decode(files.read(path)), path);

  function read(path: string): Source {
    const extension = extensionOf(path);
    if (extension === ".json") return { format: "json", code: text(path), guessed: false };
    if (extension === ".node") throw new ResolveError("ERR_DLOPEN_FAILED", `${path} is native code, which can't be run here`);
    if (extension === ".wasm")
      throw new ResolveError("ERR_UNKNOWN_FILE_EXTENSION", `WebAssembly is not here, so ${path} can't be imported`);
    return prepare(text(path), path, declared(path), parses);
  }

  /** The format that the file's name or its package declares; null if neither does. */
  function declared(path: string): Format | null {
    const extension = extensionOf(path);
    if (extension === ".mjs" || extension === ".mts") return "module";
    if (extension === ".cjs" || extension === ".cts") return "commonjs";
    const type = resolver.scope(path)?.type;
    if (type === "module") return "module";
    if (type === "commonjs" || path.includes("/node_modules/")) return "commonjs";
    return null;
  }

  return { read, declared, text };
}

function adapted(code: string, path: string): string {
  // vitest runs its threads with tinypool, whose counters are memory shared by all threads, which can't be sent here. Without the option `useAtomics`
  // tinypool reads only its own counters, so each thread gets its own.
  if (path.includes("/node_modules/tinypool/")) return code.replace("new SharedArrayBuffer(", "new ArrayBuffer(");
  // The message advises a new install, which would not help.
  if (path.includes("/node_modules/rolldown/"))
    return code.replace(
      /Cannot find native binding\. npm has a bug [^"`]*`npm i`[^"`]*/,
      "rolldown needs WASI and threads that share memory, which are not here; install vite@7, which bundles with rollup",
    );
  return code;
}

export type Sources = ReturnType<typeof createSources>;

/** `format` null: the syntax decides. */
export function prepare(given: string, path: string, format: Format | null, parses: Parses): Source {
  const extension = extensionOf(path);
  const typed = /^\.[cm]?tsx?$|^\.jsx$/.test(extension);
  let code = given.startsWith("\uFEFF") ? given.slice(1) : given;
  if (code.startsWith("#!")) code = `//${code}`;
  if (typed) {
    const made = javaScript(code, path);
    const namespace = lostNamespace(code, made);
    if (namespace !== null)
      throw new TypeScriptError(`${path} has the namespace ${namespace}, and only types are removed here; ${whatToUse(path)}`);
    if (mayHaveDecorators(made) && !parses(made, "module") && !parses(made, "commonjs"))
      throw new TypeScriptError(`${path} has decorators, and only types are removed here; ${whatToUse(path)}`);
    code = made;
  }
  if (format !== null) return { format, code, guessed: false };
  const module = hasModuleSyntax(code, parses);
  return { format: module ? "module" : "commonjs", code, guessed: module && !typed };
}

function javaScript(code: string, path: string): string {
  const jsx = path.endsWith("x");
  try {
    return transform(code, {
      transforms: jsx ? ["typescript", "jsx"] : ["typescript"],
      disableESTransforms: true,
      production: true,
      filePath: path,
    }).code;
  } catch (error) {
    throw new TypeScriptError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Whether the error is one that the parser of Node's names reports for a text; anything else it throws is a bug of ours. */
function isParseError(error: unknown): error is Error {
  return error instanceof Error && Object.hasOwn(error, "idx");
}

/** Detects modules like Node does: import or export statements, or a text that can be parsed as an ES module but not as CommonJS. */
function hasModuleSyntax(code: string, parses: Parses): boolean {
  if (/\b(?:import|export)\b/.test(code)) {
    try {
      parse(code);
    } catch (error) {
      if (!isParseError(error)) throw error;
      if (Reflect.get(error, "code") === "ERR_LEXER_ESM_SYNTAX") return true;
    }
  }
  // A top-level await, or a variable with the name of a CommonJS module's parameter.
  const onlyInModules = /\bawait\b|\b(?:const|let|class)\s+(?:exports|require|module|__filename|__dirname)\b/;
  return onlyInModules.test(code) && !parses(code, "commonjs") && parses(code, "module");
}

/** The names that `import { … }` may use of a CommonJS module, which Node detects in its text. */
export function commonJsNames(path: string, sources: Sources, resolver: Resolver, met = new Set<string>()): ReadonlySet<string> {
  const names = new Set<string>();
  if (met.has(path)) return names;
  met.add(path);
  const source = sources.read(path);
  if (source.format === "json") {
    const value: unknown = JSON.parse(source.code);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) for (const name of Object.keys(value)) names.add(name);
    return names;
  }
  if (source.format !== "commonjs") return names;
  let found: ReturnType<typeof parse>;
  try {
    found = parse(source.code);
  } catch (error) {
    if (!isParseError(error)) throw error;
    // As in Node, there is only the default export then.
    return names;
  }
  for (const name of found.exports) names.add(name);
  for (const specifier of found.reexports) {
    try {
      const target = resolver.require(specifier, path);
      if (target.kind === "file") for (const name of commonJsNames(target.path, sources, resolver, met)) names.add(name);
    } catch (error) {
      // A module that can't be found adds no names; requiring it reports the error.
      if (!(error instanceof ResolveError)) throw error;
    }
  }
  return names;
}

/** The code of an ES module whose exports are properties of the value of the expression `value`. */
export function facade(value: string, names: Iterable<string>): string {
  const lines = [`const m = ${value}; export default m; const g = (k) => m === null || m === undefined ? undefined : m[k];`];
  let count = 0;
  for (const name of names) {
    if (name === "default") continue;
    const local = `x${count++}`;
    lines.push(`const ${local} = g(${JSON.stringify(name)}); export { ${local} as ${JSON.stringify(name)} };`);
  }
  return lines.join("\n");
}
