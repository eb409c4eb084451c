import { EvalFlags, type QuickJS } from "quickjs-wasi";
import type { SyncFiles } from "../../sync-files.ts";
import type { Inside, Operations } from "../bridge.ts";
import { pathOfUrl } from "../modules/paths.ts";
import { commonJsNames, facade, type Parses, type Source } from "../modules/sources.ts";
import { InsideError, text } from "../plain.ts";
import { createModuleNames, dataModule } from "./module-names.ts";

const machine = 'globalThis[Symbol.for("vibey.node")]';

/** Precedes a CommonJS module's text, on its first line. */
const wrapperStart = "(function (exports, require, module, __filename, __dirname) { ";

export interface ModuleLoader {
  readonly operations: Operations;
  /** QuickJS calls these to resolve and load ES modules. */
  readonly normalize: (base: string, specifier: string) => string;
  readonly load: (name: string) => string;
}

export interface ModuleHost {
  readonly files: SyncFiles;
  readonly conditions: readonly string[];
  readonly vm: () => QuickJS;
  readonly inside: () => Inside;
}

/** Finds, reads and compiles modules. An ES module's name is its URL; a built-in module's name is its `node:` URL. */
export function createModuleLoader({ files, conditions, vm, inside }: ModuleHost): ModuleLoader {
  const parses: Parses = (code, format) => {
    try {
      compile(code, "node:internal", format);
      return true;
    } catch (error) {
      // QuickJS's package reports it with these words and a plain error.
      if (error instanceof Error && error.message.startsWith("Compilation error: SyntaxError")) return false;
      throw error;
    }
  };
  const names = createModuleNames(files, conditions, parses);
  const { resolver, sources, readModule } = names;
  /** Code that is in no file, by its module's name. */
  const given = new Map<string, string>();

  /** Throws the SyntaxError of a text that can't be compiled. */
  function compile(code: string, path: string, format: "commonjs" | "module"): void {
    if (format === "commonjs") vm().compile(`${wrapperStart}${code}\n})`, path);
    else vm().compile(code, path, EvalFlags.TYPE_MODULE | EvalFlags.COMPILE_ONLY);
  }

  function moduleText(name: string, source: Source): string {
    if (!source.code.includes("import.meta")) return source.code;
    const start = `${machine}.meta(import.meta, ${JSON.stringify(name)}); `;
    inside().call("shift", name, start.length);
    return start + source.code;
  }

  function load(name: string): string {
    const code = given.get(name);
    if (code !== undefined) return moduleText(name, { format: "module", code, guessed: false });
    if (name.startsWith("node:")) {
      const builtin = name.slice(5);
      const exported: unknown = JSON.parse(text(inside().call("builtinNames", builtin)));
      return facade(`${machine}.builtin(${JSON.stringify(builtin)})`, Array.isArray(exported) ? exported.map(String) : []);
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
    ...names.operations,
    /** A CommonJS module's function. */
    "module.compile": (code, path) => {
      inside().call("shift", text(path), wrapperStart.length);
      return vm().evalCode(`${wrapperStart}${text(code)}\n})`, text(path));
    },
    "module.run": (code, path) => vm().evalCode(text(code), text(path)),
    /** The promise for a module's namespace. */
    "module.load": (name) => vm().evalCode(`import(${JSON.stringify(text(name))})`, "node:internal"),
    /** The same for `require`: when it returns, a module without top-level await has run and passed on its namespace. */
    "module.now": (name) =>
      vm().evalCode(
        `import * as names from ${JSON.stringify(text(name))}; ${machine}.took(names);`,
        "node:internal/require",
        EvalFlags.TYPE_MODULE,
      ),
    "module.give": (name, code) => void given.set(text(name), text(code)),
    /** Checks whether a text can be compiled; throws its SyntaxError. */
    "module.check": (code, path, asModule) => compile(text(code), text(path), asModule === true ? "module" : "commonjs"),
  };

  return {
    operations,
    load,
    normalize(base, specifier) {
      if (base.startsWith("node:internal")) return specifier;
      return names.importName(specifier, base);
    },
  };
}
