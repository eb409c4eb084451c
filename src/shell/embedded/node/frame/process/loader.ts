import { parse as findImports } from "es-module-lexer/js";
import type { SyncFiles } from "../../../sync-files.ts";
import { withAttributes } from "../../modules/import-attributes.ts";
import { pathOfUrl } from "../../modules/paths.ts";
import { commonJsNames, type Parses, type Source } from "../../modules/sources.ts";
import { createModuleNames, dataModule } from "../../operations/module-names.ts";
import { InsideError } from "../../plain.ts";
import { followAwaits } from "./awaits.ts";
import { type Edit, edited, type Moved, movedBy } from "./edits.ts";
import { evaluate, named } from "./evaluate.ts";
import { createModuleGraph, type LoadedModule } from "./module-graph.ts";
import { missingExport } from "./missing-export.ts";
import { moduleSource, type ModuleSource } from "./module-source.ts";
import { textChanged } from "./places.ts";
import { scriptSource } from "./script-source.ts";
import { type ErrorFactories, type Table, thrownInside } from "./host-calls.ts";

/** The name of the global function that replaces `import()` in code. */
export const importName = "__vibey_import";

/** Precedes a CommonJS module's text, on its first line. */
const wrapperStart = "(function (exports, require, module, __filename, __dirname) { ";

/** Functions of the runtime (`inside/`) that return values other than JSON-like data. */
export interface InsideModules extends ErrorFactories {
  readonly builtin: (name: string) => object;
  readonly requireFile: (path: string) => unknown;
  readonly meta: (target: object, url: string) => void;
  readonly took: (namespace: unknown) => void;
  readonly kept: () => unknown;
  readonly back: (kept: unknown, value?: unknown) => unknown;
}

/** The parser's error in the engine's words, with its position in the stack. */
function placedSyntaxError(error: SyntaxError, name: string): SyntaxError {
  const place: unknown = Reflect.get(error, "loc");
  if (typeof place !== "object" || place === null) return error;
  const plain = new SyntaxError(error.message.replace(/ \(\d+:\d+\)$/, ""));
  const line = `${name}:${Number(Reflect.get(place, "line"))}:${Number(Reflect.get(place, "column")) + 1}`;
  Object.defineProperty(plain, "stack", { value: `SyntaxError: ${plain.message}\n    at ${line}`, writable: true, configurable: true });
  return plain;
}

/** Finds, reads and compiles modules for the browser's engine, which gets all code as text. */
export function createLoader(files: SyncFiles, conditions: readonly string[], modules: InsideModules) {
  const parses: Parses = (code, format) => {
    try {
      check(code, "node:internal", format);
      return true;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  };
  const names = createModuleNames(files, conditions, parses);
  const { resolver, sources, readModule } = names;
  /** Code that is in no file, by its module's name. */
  const given = new Map<string, string>();
  /** The results of promises that the runtime inside asks about. */
  const settled = new WeakMap<object, { readonly state: 1 | 2; readonly value: unknown }>();

  const importStart = (base: string): string => `${importName}(${JSON.stringify(base)}, `;

  /** Whether code that mentions `AsyncLocalStorage`'s module was read, or a storage was created. */
  let following = false;

  /**
   * Rewrites code so that the store follows its awaits. Packages are left alone until something uses a store: the program's own code may be read
   * before the package that does.
   */
  function withAwaits(code: string, name: string): { readonly code: string; readonly moved: Moved } | null {
    return following || !name.includes("/node_modules/") ? followAwaits(code) : null;
  }

  /** Code that runs as it is or as a function's body; records what was changed, for positions in stacks. */
  function prepared(code: string, path: string, before: string, after: string): string {
    if (/\basync_hooks\b/.test(code)) following = true;
    const imports = withImports(code, path);
    const awaits = withAwaits(imports.code, path);
    textChanged(path, [before.length, ...(awaits ? [awaits.moved] : []), ...(imports.moved ? [imports.moved] : [])]);
    return `${before}${awaits?.code ?? imports.code}${after}`;
  }

  /** Scripts and CommonJS modules can't use the browser's own `import()`: it does not know these files. */
  function withImports(code: string, base: string): { readonly code: string; readonly moved: Moved | null } {
    const plain = { code, moved: null };
    if (!/\bimport\s*\(/.test(code)) return plain;
    let found: ReturnType<typeof findImports>[0];
    try {
      [found] = findImports(code);
    } catch {
      // The code doesn't parse. Return it unchanged; running it reports the syntax error.
      return plain;
    }
    const edits = found.flatMap(({ d, ss }): readonly Edit[] =>
      d < 0 ? [] : [{ at: ss, end: code.indexOf("(", ss) + 1, text: importStart(base) }],
    );
    return { code: edited(code, edits), moved: movedBy(code, edits) };
  }

  function compiled(code: string, name: string): ModuleSource {
    try {
      return moduleSource(code, importStart(name));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      const newer = withAttributes(code, Number(Reflect.get(error, "pos")));
      if (newer !== null) return compiled(newer, name);
      throw placedSyntaxError(error, name);
    }
  }

  /** Throws the SyntaxError of a text that can't be compiled. */
  function check(code: string, path: string, format: "commonjs" | "module"): void {
    if (format === "commonjs") evaluate(`${wrapperStart}${withImports(code, path).code}\n})`, path);
    else evaluate(compiled(code, path).code, path);
  }

  /** Prepares a script of a context. `shift`: the number of characters that were put before its first line. */
  function preparedScript(code: string, name: string, shift: number): string {
    const imports = withImports(code, name);
    const awaits = withAwaits(imports.code, name);
    textChanged(name, [...(awaits ? [awaits.moved] : []), ...(imports.moved ? [imports.moved] : []), shift]);
    return named(awaits?.code ?? imports.code, name);
  }

  function readScript(code: string, name: string): string {
    try {
      return JSON.stringify(scriptSource(code));
    } catch (error) {
      throw error instanceof SyntaxError ? placedSyntaxError(error, name) : error;
    }
  }

  function sourceModule(name: string, code: string): LoadedModule {
    const source = compiled(code, name);
    if (/\basync_hooks\b/.test(code)) following = true;
    const meta: object = Object.create(null);
    modules.meta(meta, name);
    return {
      kind: "source",
      source,
      // By now all its imports were read, so it is known whether something uses a store.
      start(requested, give) {
        const awaits = withAwaits(source.code, name);
        textChanged(name, [...(awaits ? [awaits.moved] : []), source.shift, source.moved]);
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text is a function's.
        const run = evaluate(awaits?.code ?? source.code, name) as (...args: unknown[]) => Iterator<unknown>;
        return run(requested, give, meta);
      },
    };
  }

  function make(name: string): LoadedModule {
    const code = given.get(name);
    if (code !== undefined) return sourceModule(name, code);
    if (name.startsWith("node:")) {
      const value = modules.builtin(name.slice(5));
      return { kind: "value", names: Object.keys(value), value: () => value };
    }
    if (name.startsWith("data:")) return sourceModule(name, dataModule(name));
    const path = pathOfUrl(new URL(name));
    const source: Source = readModule(path);
    if (source.format === "module") return sourceModule(name, source.code);
    if (source.format === "json") return { kind: "value", names: [], value: () => parseJson(path, source.code) };
    return { kind: "value", names: [...commonJsNames(path, sources, resolver)], value: () => modules.requireFile(path) };
  }

  function parseJson(path: string, json: string): unknown {
    try {
      return JSON.parse(json);
    } catch (error) {
      throw new InsideError("", `${path}: ${error instanceof Error ? error.message : String(error)}`, "SyntaxError");
    }
  }

  const said = <T>(run: () => T, place?: () => string): T => thrownInside(run, modules, place);

  const graph = createModuleGraph({
    make: (name) => said(() => make(name)),
    importName: (specifier, base, place) => said(() => names.importName(specifier, base), place),
    missingExport,
    contexts: { kept: modules.kept, back: modules.back },
    customInspect: Symbol.for("nodejs.util.inspect.custom"),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node's own.
    inspect: (value, options) => (modules.builtin("util") as { inspect(value: object, options: unknown): string }).inspect(value, options),
  });

  /** The namespace's promise that `require` of an ES module inspects; see `requireModule`. */
  function now(name: string): Promise<unknown> {
    const pending = new Promise<unknown>(() => undefined);
    try {
      const found = graph.now(name);
      if (found === null) return pending;
      modules.took(found.namespace);
      settled.set(pending, { state: 1, value: found.namespace });
    } catch (error) {
      settled.set(pending, { state: 2, value: error });
    }
    return pending;
  }

  const operations: Table = {
    ...names.operations,
    "module.compile"(code: string, path: string): unknown {
      return evaluate(prepared(code, path, wrapperStart, "\n})"), path);
    },
    "module.run": (code: string, path: string) => evaluate(prepared(code, path, "", ""), path),
    "script.contexts": () => true,
    "script.read": readScript,
    "script.prepare": preparedScript,
    "contexts.follow": () => (following = true),
    "module.load": (name: string) => graph.load(name),
    "module.now": now,
    "module.give": (name: string, code: string) => void given.set(name, code),
    "module.check": (code: string, path: string, asModule: unknown) => check(code, path, asModule === true ? "module" : "commonjs"),
    "promise.state": (promise: object) => settled.get(promise)?.state ?? -1,
    "promise.result": (promise: object) => settled.get(promise)?.value,
  };

  return {
    operations,
    /** `import()` in a module or script. */
    importFrom: async (base: string, specifier: unknown): Promise<unknown> =>
      graph.load(said(() => names.importName(String(specifier), base))),
  };
}
