import type { SyncFiles } from "../../sync-files.ts";
import { builtinModules, builtinName } from "../modules/builtins.ts";
import { foundFile } from "../modules/find-file.ts";
import { fileUrl, pathOfUrl } from "../modules/paths.ts";
import { createResolver, ResolveError, type Resolved, type Resolver } from "../modules/resolve.ts";
import { createSources, type Parses, prepare, type Source, type Sources, TypeScriptError } from "../modules/sources.ts";
import { InsideError, type Operations, text } from "../plain.ts";

/** Finds and reads modules, for every engine. An ES module's name is its URL; a built-in module's name is its `node:` URL. */
export interface ModuleNames {
  readonly operations: Operations;
  readonly resolver: Resolver;
  readonly sources: Sources;
  /** Resolves `specifier` in the module called `base` to a module name. */
  readonly importName: (specifier: string, base: string) => string;
  readonly readModule: (path: string) => Source;
}

export function createModuleNames(files: SyncFiles, conditions: readonly string[], parses: Parses): ModuleNames {
  const resolver = createResolver(files, conditions);
  const sources = createSources(files, resolver, parses);

  const described = (found: Resolved): string =>
    JSON.stringify(
      found.kind === "file" ? { kind: "file", path: found.path } : found.kind === "builtin" ? found : { kind: "data", url: found.url },
    );

  const nameOf = (found: Resolved): string =>
    found.kind === "builtin" ? `node:${found.name}` : found.kind === "data" ? found.url : fileUrl(found.path) + found.query;

  const baseOf = (base: string): string =>
    base.startsWith("file:") ? pathOfUrl(new URL(base)) : base.startsWith("/") ? base : "/project/[eval]";

  const importName = (specifier: string, base: string): string => nameOf(resolver.import(specifier, baseOf(base)));

  function readModule(path: string): Source {
    try {
      return sources.read(path);
    } catch (error) {
      if (error instanceof TypeScriptError) throw new InsideError("", error.message, "SyntaxError");
      throw error;
    }
  }

  const operations: Operations = {
    /** Whether texts can run in a context of their own. */
    "script.contexts": () => false,
    "module.builtins": () => JSON.stringify(builtinModules),
    "module.isBuiltin": (name) => builtinName(text(name)) !== null,
    "module.require": (specifier, from) => described(resolver.require(text(specifier), text(from))),
    "module.import": (specifier, from) => importName(text(specifier), text(from)),
    /** Like `import.meta.resolve`: a path need not exist. */
    "module.resolve": (specifier, from) => {
      const wanted = text(specifier);
      return /^(\.\.?\/|\/|file:)/.test(wanted) ? new URL(wanted, text(from)).href : importName(wanted, text(from));
    },
    "module.paths": (from) => JSON.stringify(resolver.lookupPaths(text(from))),
    /** The file that `node <path>` runs. */
    "module.main": (path) => described(resolver.require(text(path), "/[main]")),
    /** For programs that resolve modules by their own rules. */
    "module.find": (folder, request, options) => foundFile(files, resolver, text(folder), text(request), text(options)),
    "module.url": (path) => fileUrl(text(path)),
    "module.format": (path) => readModule(text(path)).format,
    "module.text": (path) => readModule(text(path)).code,
    "module.guess": (code, path) => prepare(text(code), text(path), null, parses).format,
    "module.typescript": (code, path) => prepare(text(code), text(path), "commonjs", parses).code,
  };

  return { operations, resolver, sources, importName, readModule };
}

/** The code of a module whose URL contains it. */
export function dataModule(url: string): string {
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
