import { isObject } from "./json.ts";

/** The fields of package.json that say where a package's modules are. The values are untrusted. */
export interface Package {
  readonly name?: unknown;
  readonly type?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly browser?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
}

/** Conditions that are true in the preview, besides `import` or `require`. */
const conditions = new Set(["browser", "development", "module", "default"]);

export type How = "import" | "require";

/** The paths in the package that `subpath` ("." or "./x") may mean, best first; none if the package doesn't export it. */
export function packagePaths(found: Package, subpath: string, how: How): readonly string[] {
  if (found.exports !== undefined && found.exports !== null) {
    const path = inMap(isSubpaths(found.exports) ? found.exports : { ".": found.exports }, subpath, how);
    return path === null ? [] : [path];
  }
  if (subpath !== ".") return [subpath];
  const mains = how === "import" ? [found.module, found.browser, found.main] : [found.browser, found.main];
  return [...mains.filter((main) => typeof main === "string"), "./index"];
}

/** The path of an internal name such as `#inner` in its package. */
export function internalPath(found: Package, name: string, how: How): string | null {
  return isObject(found.imports) ? inMap(found.imports, name, how) : null;
}

const isSubpaths = (exports: unknown): exports is Readonly<Record<string, unknown>> =>
  isObject(exports) && Object.keys(exports).some((key) => key.startsWith("."));

function inMap(map: Readonly<Record<string, unknown>>, key: string, how: How): string | null {
  if (Object.hasOwn(map, key) && !key.includes("*")) return target(map[key], how);
  // The longest matching pattern is the most specific one.
  const patterns = Object.keys(map)
    .filter((pattern) => pattern.split("*").length === 2)
    .toSorted((a, b) => b.indexOf("*") - a.indexOf("*"));
  for (const pattern of patterns) {
    const [before = "", after = ""] = pattern.split("*");
    if (!key.startsWith(before) || !key.endsWith(after) || key.length < before.length + after.length) continue;
    const matched = key.slice(before.length, key.length - after.length);
    return target(map[pattern], how)?.replaceAll("*", () => matched) ?? null;
  }
  return null;
}

function target(value: unknown, how: How): string | null {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => target(each, how)).find((each) => each !== null) ?? null;
  if (!isObject(value)) return null;
  for (const [condition, inner] of Object.entries(value)) {
    if (condition !== how && !conditions.has(condition)) continue;
    const found = target(inner, how);
    if (found !== null) return found;
  }
  return null;
}
