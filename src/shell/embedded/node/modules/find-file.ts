import type { SyncFiles } from "../../sync-files.ts";
import { dirnameOf, joinPath } from "./paths.ts";
import { ResolveError, type Resolver } from "./resolve.ts";

/** The options of programs that resolve modules by their own rules, such as jest, with the names of `enhanced-resolve`. */
export interface FindOptions {
  readonly conditionNames?: readonly string[];
  readonly extensions?: readonly string[];
  readonly mainFields?: readonly string[];
  readonly mainFiles?: readonly string[];
  /** Folders of packages: a name is looked for in all folders above, an absolute path as it is. */
  readonly modules?: string | readonly string[];
  /** Folders in which requests that begin with `/` are looked for first. */
  readonly roots?: readonly string[];
  readonly fullySpecified?: boolean;
}

/** The file that `request` means in `folder`; null if there is none. Throws if a package does not export it. */
export function findFile(files: SyncFiles, resolver: Resolver, folder: string, request: string, options: FindOptions): string | null {
  const {
    conditionNames = [],
    extensions = [".js", ".json", ".node"],
    mainFields = ["main"],
    mainFiles = ["index"],
    modules = ["node_modules"],
    roots = [],
    fullySpecified = false,
  } = options;
  const conditions = new Set(conditionNames);
  const from = joinPath(folder, "x");
  const isFile = (path: string): boolean => files.stat(path)?.kind === "file";
  const isFolder = (path: string): boolean => files.stat(path)?.kind === "folder";

  function withExtension(path: string): string | null {
    if (isFile(path)) return path;
    if (fullySpecified) return null;
    const extension = extensions.find((each) => isFile(path + each));
    return extension === undefined ? null : path + extension;
  }

  function indexOf(path: string): string | null {
    for (const name of mainFiles) {
      const found = withExtension(joinPath(path, name));
      if (found !== null) return found;
    }
    return null;
  }

  function inFolder(path: string): string | null {
    if (!isFolder(path)) return null;
    for (const field of mainFields) {
      const main = resolver.field(path, field);
      if (typeof main !== "string" || main === "") continue;
      const at = joinPath(path, main);
      const found = withExtension(at) ?? indexOf(at);
      if (found !== null) return found;
    }
    return indexOf(path);
  }

  const at = (path: string): string | null => (request.endsWith("/") ? null : withExtension(path)) ?? inFolder(path);

  function inPackages(): string | null {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(request)?.[0] ?? request;
    const rest = `.${request.slice(name.length)}`;
    const own = resolver.selfReference(name, rest, conditions, from);
    if (own !== null) return own;
    for (const each of typeof modules === "string" ? [modules] : modules)
      for (let above = folder; ; above = dirnameOf(above)) {
        const packages = each.startsWith("/") ? each : joinPath(above, each);
        if (isFolder(packages)) {
          const found = resolver.exportedFile(joinPath(packages, name), rest, conditions, from) ?? at(joinPath(packages, request));
          if (found !== null) return found;
        }
        if (above === "/" || each.startsWith("/")) break;
      }
    return null;
  }

  if (request.startsWith("#")) return resolver.importedFile(request, conditions, from);
  if (/^\.\.?(?:\/|$)/.test(request)) return at(joinPath(folder, request));
  if (!request.startsWith("/")) return inPackages();
  for (const root of roots) {
    const found = at(joinPath(root, request.slice(1)));
    if (found !== null) return found;
  }
  return at(request);
}

/** The same as JSON for the runtime inside: `path`, or `error`. */
export function foundFile(files: SyncFiles, resolver: Resolver, folder: string, request: string, options: string): string {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the options come from a program; an error in them fails in that program.
    const path = findFile(files, resolver, folder, request, JSON.parse(options) as FindOptions);
    return JSON.stringify(path === null ? { error: `Cannot find module '${request}'` } : { path });
  } catch (error) {
    if (error instanceof ResolveError) return JSON.stringify({ error: error.message });
    throw error;
  }
}
