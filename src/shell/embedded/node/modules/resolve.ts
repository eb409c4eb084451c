import type { SyncFiles } from "../../sync-files.ts";
import { builtinName, standIns } from "./builtins.ts";
import { dirnameOf, extensionOf, fileUrl, joinPath, pathOfUrl } from "./paths.ts";

/** The error that Node throws if a module can't be found. */
export class ResolveError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export type Resolved =
  | { readonly kind: "builtin"; readonly name: string }
  /** `query`: the part of a module's URL from `?` or `#` on. */
  | { readonly kind: "file"; readonly path: string; readonly query: string }
  | { readonly kind: "data"; readonly url: string };

/** The parts of a package.json that resolution uses. */
export interface PackageJson {
  readonly path: string;
  readonly name: unknown;
  readonly main: unknown;
  readonly type: unknown;
  readonly exports: unknown;
  readonly imports: unknown;
  readonly all: Readonly<Record<string, unknown>>;
}

export interface Resolver {
  /** Resolves `require(specifier)` in the file `from`. */
  require(specifier: string, from: string): Resolved;
  /** Resolves `import specifier` in the file `from`. */
  import(specifier: string, from: string): Resolved;
  /** The package.json that applies to `path`; null if there is none. */
  scope(path: string): PackageJson | null;
  /** A field of the package.json in `folder`. */
  field(folder: string, name: string): unknown;
  /** What the package that contains `from` exports under its own name. Null: it has another name, or exports everything. */
  selfReference(name: string, subpath: string, conditions: ReadonlySet<string>, from: string): string | null;
  /** What the package in `folder` exports. Null: there is no package, or it exports everything. */
  exportedFile(folder: string, subpath: string, conditions: ReadonlySet<string>, from: string): string | null;
  /** Resolves `#name` in the package that contains `from`. */
  importedFile(specifier: string, conditions: ReadonlySet<string>, from: string): string | null;
  /** The folders in which `require` looks for packages. */
  lookupPaths(from: string): string[];
}

type Conditions = ReadonlySet<string>;

/** Node's module resolution over the shell's files. */
export function createResolver(files: SyncFiles, userConditions: readonly string[]): Resolver {
  const packages = new Map<string, PackageJson | null>();
  const forRequire: Conditions = new Set([...userConditions, "node", "require", "module-sync", "node-addons"]);
  const forImport: Conditions = new Set([...userConditions, "node", "import", "module-sync", "node-addons"]);

  const isFile = (path: string): boolean => files.stat(path)?.kind === "file";
  const isFolder = (path: string): boolean => files.stat(path)?.kind === "folder";

  function packageAt(folder: string): PackageJson | null {
    const path = joinPath(folder, "package.json");
    const known = packages.get(path);
    if (known !== undefined) return known;
    const read = isFile(path) ? parsePackage(path, new TextDecoder().decode(files.read(path))) : null;
    // Files come and go while a program runs, so only existing ones are cached.
    if (read !== null) packages.set(path, read);
    return read;
  }

  function scope(path: string): PackageJson | null {
    for (let folder = dirnameOf(path); ; folder = dirnameOf(folder)) {
      if (folder.endsWith("/node_modules")) return null;
      const found = packageAt(folder);
      if (found) return found;
      if (folder === "/") return null;
    }
  }

  const requireExtensions = [".js", ".json", ".node", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".tsx", ".jsx"];

  function asFile(path: string): string | null {
    if (isFile(path)) return path;
    for (const extension of requireExtensions.slice(0, 3)) if (isFile(path + extension)) return path + extension;
    return null;
  }

  function asFolder(path: string): string | null {
    if (!isFolder(path)) return null;
    const main = packageAt(path)?.main;
    if (typeof main === "string" && main !== "") {
      const at = joinPath(path, main);
      const found = asFile(at) ?? (isFolder(at) ? asFile(joinPath(at, "index")) : null);
      if (found) return found;
    }
    return asFile(joinPath(path, "index"));
  }

  /** What TypeScript's compiler and bundlers allow between TypeScript files: no extension, and `.js` for a file that will be compiled to it. */
  function asTypeScript(path: string): string | null {
    const extension = extensionOf(path);
    const swapped = { ".js": [".ts", ".tsx"], ".mjs": [".mts"], ".cjs": [".cts"], ".jsx": [".tsx"] }[extension] ?? [];
    const stem = path.slice(0, path.length - extension.length);
    for (const other of swapped) if (isFile(stem + other)) return stem + other;
    for (const other of [".ts", ".tsx", ".mts", ".cts"]) if (isFile(path + other)) return path + other;
    for (const other of ["index.ts", "index.tsx"]) if (isFile(joinPath(path, other))) return joinPath(path, other);
    return null;
  }

  const fromTypeScript = (from: string): boolean => /\.[cm]?tsx?$/.test(from) || from.endsWith("[eval]");

  function lookupPaths(from: string): string[] {
    const found: string[] = [];
    for (let folder = dirnameOf(from); ; folder = dirnameOf(folder)) {
      if (!folder.endsWith("/node_modules")) found.push(joinPath(folder, "node_modules"));
      if (folder === "/") return found;
    }
  }

  /** `null`: the path is excluded; `undefined`: nothing matched. */
  function target(
    json: PackageJson,
    value: unknown,
    match: string | null,
    conditions: Conditions,
    internal: boolean,
    from: string,
  ): Resolved | null | undefined {
    if (typeof value === "string") {
      const filled = match === null ? value : value.replaceAll("*", match);
      if (!value.startsWith("./")) {
        if (internal && !value.startsWith("../") && !value.startsWith("/")) return packageResolve(filled, json.path, conditions);
        throw new ResolveError(
          "ERR_INVALID_PACKAGE_TARGET",
          `Invalid "${internal ? "imports" : "exports"}" target ${JSON.stringify(value)} defined in the package config ${json.path}${from ? ` imported from ${from}` : ""}; targets must start with "./"`,
        );
      }
      if (/(^|\/)(\.\.?|node_modules)(\/|$)/.test(filled.slice(2)))
        throw new ResolveError(
          "ERR_INVALID_PACKAGE_TARGET",
          `Invalid "${internal ? "imports" : "exports"}" target ${JSON.stringify(value)} defined in the package config ${json.path}`,
        );
      return { kind: "file", path: joinPath(dirnameOf(json.path), filled), query: "" };
    }
    if (Array.isArray(value)) {
      let last: Resolved | null | undefined = value.length === 0 ? null : undefined;
      for (const entry of value) {
        try {
          last = target(json, entry, match, conditions, internal, from);
        } catch (error) {
          if (error instanceof ResolveError && error.code === "ERR_INVALID_PACKAGE_TARGET") continue;
          throw error;
        }
        if (last !== undefined && last !== null) return last;
      }
      return last;
    }
    if (value === null) return null;
    if (typeof value === "object") {
      for (const [key, entry] of Object.entries(value)) {
        if (key !== "default" && !conditions.has(key)) continue;
        const found = target(json, entry, match, conditions, internal, from);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  function matchKeys(
    json: PackageJson,
    map: object,
    key: string,
    conditions: Conditions,
    internal: boolean,
    from: string,
  ): Resolved | null | undefined {
    const entries = new Map<string, unknown>(Object.entries(map));
    if (entries.has(key) && !key.includes("*")) return target(json, entries.get(key), null, conditions, internal, from);
    let best: string | null = null;
    let matched = "";
    for (const pattern of entries.keys()) {
      const star = pattern.indexOf("*");
      if (star < 0 || pattern.lastIndexOf("*") !== star) continue;
      const before = pattern.slice(0, star);
      const after = pattern.slice(star + 1);
      if (!key.startsWith(before) || key.length < pattern.length || !key.endsWith(after)) continue;
      if (best !== null && !(before.length > best.indexOf("*") || (before.length === best.indexOf("*") && pattern.length > best.length)))
        continue;
      best = pattern;
      matched = key.slice(before.length, key.length - after.length);
    }
    return best === null ? undefined : target(json, entries.get(best), matched, conditions, internal, from);
  }

  function exported(json: PackageJson, subpath: string, conditions: Conditions, from: string): Resolved {
    const { exports } = json;
    const plain =
      typeof exports === "string" ||
      Array.isArray(exports) ||
      (typeof exports === "object" && exports !== null && !Object.keys(exports).some((key) => key.startsWith(".")));
    const found = plain
      ? subpath === "."
        ? target(json, exports, null, conditions, false, from)
        : undefined
      : typeof exports === "object" && exports !== null
        ? matchKeys(json, exports, subpath, conditions, false, from)
        : undefined;
    if (found) return found;
    const folder = dirnameOf(json.path);
    throw new ResolveError(
      "ERR_PACKAGE_PATH_NOT_EXPORTED",
      subpath === "."
        ? `No "exports" main defined in ${json.path}${conditions === forImport ? ` imported from ${from}` : ""}`
        : `Package subpath '${subpath}' is not defined by "exports" in ${folder}/package.json${conditions === forImport ? ` imported from ${from}` : ""}`,
    );
  }

  function packageResolve(specifier: string, from: string, conditions: Conditions): Resolved {
    const builtin = builtinName(specifier);
    if (builtin !== null) return { kind: "builtin", name: builtin };
    const parts = specifier.split("/");
    const name = specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
    const rest = specifier.slice(name.length);
    if (name === "" || name.startsWith(".") || (specifier.startsWith("@") && !name.includes("/")))
      throw new ResolveError(
        "ERR_INVALID_MODULE_SPECIFIER",
        `Invalid module "${specifier}" is not a valid package name imported from ${from}`,
      );
    const own = scope(from);
    if (own && own.name === name && own.exports !== undefined && own.exports !== null) return exported(own, `.${rest}`, conditions, from);
    for (const modules of lookupPaths(from)) {
      const folder = joinPath(modules, name);
      const json = isFolder(folder) ? packageAt(folder) : null;
      if (json && json.exports !== undefined && json.exports !== null) return exported(json, `.${rest}`, conditions, from);
      if (conditions === forRequire) {
        const at = joinPath(modules, specifier);
        const found = asFile(at) ?? asFolder(at);
        if (found !== null) return { kind: "file", path: found, query: "" };
        continue;
      }
      if (!isFolder(folder)) continue;
      if (rest !== "") return { kind: "file", path: folder + rest, query: "" };
      const found = asFolder(folder);
      if (found !== null) return { kind: "file", path: found, query: "" };
    }
    const standIn = standIns.get(specifier);
    if (standIn !== undefined) return { kind: "builtin", name: standIn };
    if (conditions === forImport) throw new ResolveError("ERR_MODULE_NOT_FOUND", `Cannot find package '${name}' imported from ${from}`);
    throw new ResolveError("MODULE_NOT_FOUND", `Cannot find module '${specifier}'`);
  }

  function imported(specifier: string, from: string, conditions: Conditions): Resolved {
    const json = scope(from);
    const map = json?.imports;
    if (json && typeof map === "object" && map !== null) {
      const found = matchKeys(json, map, specifier, conditions, true, from);
      if (found) return found;
    }
    throw new ResolveError(
      "ERR_PACKAGE_IMPORT_NOT_DEFINED",
      `Package import specifier "${specifier}" is not defined${json ? ` in package ${json.path}` : ""} imported from ${from}`,
    );
  }

  const relative = (specifier: string): boolean => /^(\.\.?(\/|$)|\/)/.test(specifier);

  const fileOf = (found: Resolved): string | null => (found.kind === "file" && isFile(found.path) ? found.path : null);
  const exportsSome = (json: PackageJson | null): json is PackageJson =>
    json !== null && json.exports !== undefined && json.exports !== null;

  return {
    scope,
    lookupPaths,
    field: (folder, name) => packageAt(folder)?.all[name],
    selfReference(name, subpath, conditions, from) {
      const own = scope(from);
      return exportsSome(own) && own.name === name ? fileOf(exported(own, subpath, conditions, from)) : null;
    },
    exportedFile(folder, subpath, conditions, from) {
      const json = isFolder(folder) ? packageAt(folder) : null;
      return exportsSome(json) ? fileOf(exported(json, subpath, conditions, from)) : null;
    },
    importedFile: (specifier, conditions, from) => fileOf(imported(specifier, from, conditions)),
    require(specifier, from) {
      if (specifier.startsWith("node:")) {
        const name = builtinName(specifier);
        if (name === null) throw new ResolveError("ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${specifier}`);
        return { kind: "builtin", name };
      }
      if (relative(specifier)) {
        const path = joinPath(dirnameOf(from), specifier);
        const asGiven = specifier.endsWith("/") || /(^|\/)\.\.?$/.test(specifier) ? null : asFile(path);
        const found = asGiven ?? asFolder(path) ?? (fromTypeScript(from) ? asTypeScript(path) : null);
        if (found === null) throw new ResolveError("MODULE_NOT_FOUND", `Cannot find module '${specifier}'`);
        return { kind: "file", path: found, query: "" };
      }
      const found = specifier.startsWith("#") ? imported(specifier, from, forRequire) : packageResolve(specifier, from, forRequire);
      if (found.kind === "file" && !isFile(found.path)) throw new ResolveError("MODULE_NOT_FOUND", `Cannot find module '${found.path}'`);
      return found;
    },
    import(specifier, from) {
      if (specifier.startsWith("node:")) {
        const name = builtinName(specifier);
        if (name === null) throw new ResolveError("ERR_UNKNOWN_BUILTIN_MODULE", `No such built-in module: ${specifier}`);
        return { kind: "builtin", name };
      }
      if (specifier.startsWith("data:")) return { kind: "data", url: specifier };
      let found: Resolved;
      if (relative(specifier) || specifier.startsWith("file:")) {
        const url = new URL(specifier, fileUrl(from));
        found = { kind: "file", path: pathOfUrl(url), query: url.search + url.hash };
      } else if (specifier.startsWith("#")) found = imported(specifier, from, forImport);
      else if (/^[a-z][a-z0-9+.-]*:/i.test(specifier))
        throw new ResolveError(
          "ERR_UNSUPPORTED_ESM_URL_SCHEME",
          `Only URLs with a scheme in: file, data, and node are supported by the default ESM loader. Received protocol '${specifier.slice(0, specifier.indexOf(":") + 1)}'`,
        );
      else found = packageResolve(specifier, from, forImport);
      if (found.kind !== "file" || isFile(found.path)) return found;
      if (isFolder(found.path) && !fromTypeScript(from))
        throw new ResolveError(
          "ERR_UNSUPPORTED_DIR_IMPORT",
          `Directory import '${found.path}' is not supported resolving ES modules imported from ${from}`,
        );
      const script = fromTypeScript(from) ? asTypeScript(found.path) : null;
      if (script !== null) return { kind: "file", path: script, query: found.query };
      throw new ResolveError("ERR_MODULE_NOT_FOUND", `Cannot find module '${found.path}' imported from ${from}`);
    },
  };
}

function parsePackage(path: string, text: string): PackageJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ResolveError(
      "ERR_INVALID_PACKAGE_CONFIG",
      `Invalid package config ${path}. ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const has = (key: string): unknown => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined);
  return {
    path,
    name: has("name"),
    main: has("main"),
    type: has("type"),
    exports: has("exports"),
    imports: has("imports"),
    all: typeof value === "object" && value !== null ? { ...value } : {},
  };
}
