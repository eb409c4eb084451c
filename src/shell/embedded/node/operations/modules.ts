import { EvalFlags, type QuickJS } from "quickjs-wasi";
import type { SyncFiles } from "../../sync-files.ts";
import { type Inside, InsideError, type Operations, text } from "../bridge.ts";
import { builtinModules, builtinName } from "../modules/builtins.ts";
import { fileUrl, pathOfUrl } from "../modules/paths.ts";
import { createResolver, ResolveError, type Resolved } from "../modules/resolve.ts";
import { commonJsNames, createSources, facade, type Parses, prepare, type Source, TypeScriptError } from "../modules/sources.ts";

const machine = 'globalThis[Symbol.for("vibey.node")]';

/** Stands before a CommonJS module's text, on its first line. */
const wrapperStart = "(function (exports, require, module, __filename, __dirname) { ";

export interface ModuleLoader {
  readonly operations: Operations;
  /** As QuickJS asks for ES modules. */
  readonly normalize: (base: string, specifier: string) => string;
  readonly load: (name: string) => string;
}

export interface ModuleHost {
  readonly files: SyncFiles;
  readonly conditions: readonly string[];
  readonly vm: () => QuickJS;
  readonly inside: () => Inside;
}

/** Finding, reading and compiling modules. ES modules have their URL for a name, Node's own `node:` and theirs. */
export function createModuleLoader({ files, conditions, vm, inside }: ModuleHost): ModuleLoader {
  const resolver = createResolver(files, conditions);
  const parses: Parses = (code, format) => {
    try {
      compile(code, "node:internal", format);
      return true;
    } catch (error) {
      // QuickJS's package says it with these words and a plain error.
      if (error instanceof Error && error.message.startsWith("Compilation error: SyntaxError")) return false;
      throw error;
    }
  };
  const sources = createSources(files, resolver, parses);
  /** Code that stands in no file, by its module's name. */
  const given = new Map<string, string>();

  /** Throws the SyntaxError of a text that can't be run. */
  function compile(code: string, path: string, format: "commonjs" | "module"): void {
    if (format === "commonjs") vm().compile(`${wrapperStart}${code}\n})`, path);
    else vm().compile(code, path, EvalFlags.TYPE_MODULE | EvalFlags.COMPILE_ONLY);
  }

  const described = (found: Resolved): string =>
    JSON.stringify(
      found.kind === "file" ? { kind: "file", path: found.path } : found.kind === "builtin" ? found : { kind: "data", url: found.url },
    );

  const nameOf = (found: Resolved): string =>
    found.kind === "builtin" ? `node:${found.name}` : found.kind === "data" ? found.url : fileUrl(found.path) + found.query;

  const baseOf = (base: string): string =>
    base.startsWith("file:") ? pathOfUrl(new URL(base)) : base.startsWith("/") ? base : "/project/[eval]";

  function moduleText(name: string, source: Source): string {
    if (!source.code.includes("import.meta")) return source.code;
    const start = `${machine}.meta(import.meta, ${JSON.stringify(name)}); `;
    inside().call("shift", name, start.length);
    return start + source.code;
  }

  function readModule(path: string): Source {
    try {
      return sources.read(path);
    } catch (error) {
      if (error instanceof TypeScriptError) throw new InsideError("", error.message, "SyntaxError");
      throw error;
    }
  }

  function load(name: string): string {
    const code = given.get(name);
    if (code !== undefined) return moduleText(name, { format: "module", code, guessed: false });
    if (name.startsWith("node:")) {
      const builtin = name.slice(5);
      const names: unknown = JSON.parse(text(inside().call("builtinNames", builtin)));
      return facade(`${machine}.builtin(${JSON.stringify(builtin)})`, Array.isArray(names) ? names.map(String) : []);
    }
    if (name.startsWith("data:")) return dataModule(name);
    const path = pathOfUrl(new URL(name));
    const source = readModule(path);
    if (source.format === "module") {
      if (source.guessed) inside().call("guessed", name);
      return moduleText(name, source);
    }
    if (source.format === "json") {
      try {
        return `export default ${JSON.stringify(JSON.parse(source.code))};`;
      } catch (error) {
        throw new InsideError("", `${path}: ${error instanceof Error ? error.message : String(error)}`, "SyntaxError");
      }
    }
    return facade(`${machine}.requireFile(${JSON.stringify(path)})`, commonJsNames(path, sources, resolver));
  }

  const operations: Operations = {
    "module.builtins": () => JSON.stringify(builtinModules),
    "module.isBuiltin": (name) => builtinName(text(name)) !== null,
    "module.require": (specifier, from) => described(resolver.require(text(specifier), text(from))),
    "module.import": (specifier, from) => nameOf(resolver.import(text(specifier), baseOf(text(from)))),
    /** As `import.meta.resolve`: a path needs no file. */
    "module.resolve": (specifier, from) => {
      const wanted = text(specifier);
      return /^(\.\.?\/|\/|file:)/.test(wanted) ? new URL(wanted, text(from)).href : nameOf(resolver.import(wanted, baseOf(text(from))));
    },
    "module.paths": (from) => JSON.stringify(resolver.lookupPaths(text(from))),
    /** The file that `node <path>` runs. */
    "module.main": (path) => described(resolver.require(text(path), "/[main]")),
    "module.url": (path) => fileUrl(text(path)),
    "module.format": (path) => readModule(text(path)).format,
    "module.text": (path) => readModule(text(path)).code,
    "module.guess": (code, path) => prepare(text(code), text(path), null, parses).format,
    "module.typescript": (code, path) => prepare(text(code), text(path), "commonjs", parses).code,
    /** A CommonJS module's function. */
    "module.compile": (code, path) => {
      inside().call("shift", text(path), wrapperStart.length);
      return vm().evalCode(`${wrapperStart}${text(code)}\n})`, text(path));
    },
    "module.run": (code, path) => vm().evalCode(text(code), text(path)),
    /** The promise of a module's namespace. */
    "module.load": (name) => vm().evalCode(`import(${JSON.stringify(text(name))})`, "node:internal"),
    /** The same for `require`: by the time it returns, a module without top-level await has been run, and its namespace was handed over. */
    "module.now": (name) =>
      vm().evalCode(
        `import * as names from ${JSON.stringify(text(name))}; ${machine}.took(names);`,
        "node:internal/require",
        EvalFlags.TYPE_MODULE,
      ),
    "module.give": (name, code) => void given.set(text(name), text(code)),
    /** Whether a text could be run; throws its SyntaxError. */
    "module.check": (code, path, asModule) => compile(text(code), text(path), asModule === true ? "module" : "commonjs"),
  };

  return {
    operations,
    load,
    normalize(base, specifier) {
      if (base.startsWith("node:internal")) return specifier;
      return nameOf(resolver.import(specifier, baseOf(base)));
    },
  };
}

function dataModule(url: string): string {
  const match = /^data:([^,;]*)((?:;[^,]*)?),(.*)$/s.exec(url);
  if (!match) throw new ResolveError("ERR_INVALID_URL", `Invalid URL: ${url}`);
  const [, type = "", parameters = "", data = ""] = match;
  const code = parameters.endsWith(";base64")
    ? new TextDecoder().decode(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)))
    : decodeURIComponent(data);
  if (type === "text/javascript") return code;
  if (type === "application/json") return `export default ${JSON.stringify(JSON.parse(code))};`;
  throw new ResolveError("ERR_UNKNOWN_MODULE_FORMAT", `Unknown module format: ${type || "null"} for URL ${url}`);
}
