import * as t from "../../texts/preview-build.ts";
import { isObject, jsonObject } from "./json.ts";
import { type How, internalPath, type Package, packagePaths } from "./packages.ts";

/** The deed, as far as module resolution needs it. */
export interface Names {
  readonly has: (path: string) => boolean;
  /** Null if the file no longer exists. */
  readonly read: (path: string) => Promise<string | null>;
}

/** `path`: in the deed. `query`: what followed the path, including its "?". */
export type Found = { readonly path: string; readonly query: string } | { readonly problem: string };

const endings = [".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".cjs", ".json"] as const;
/** TypeScript names a file by what it is compiled to. */
const compiled: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.js$/, [".ts", ".tsx"]],
  [/\.jsx$/, [".tsx"]],
  [/\.mjs$/, [".mts"]],
  [/\.cjs$/, [".cts"]],
];

/** Finds the file that `specifier` means in the file `from`, or says in a sentence why there is none. */
export async function resolveImport(specifier: string, from: string, names: Names, how: How = "import"): Promise<Found> {
  const [, name = "", query = ""] = /^([^?]*)(\?[^]*)?$/.exec(specifier) ?? [];
  if (/^(?:https?:)?\/\//.test(name)) {
    return { problem: t.noNetwork(specifier) };
  }
  if (name.startsWith("node:")) return { problem: t.nodeModule(specifier) };
  if (/^\.{0,2}\//.test(name) || name === "." || name === "..") {
    const path = join(name.startsWith("/") ? "" : folder(from), name);
    const found = path === null ? null : file(path, names);
    return found === null ? { problem: t.notAmongFiles(specifier) } : { path: found, query };
  }
  const found = name.startsWith("#") ? await internal(name, from, names, how) : await packaged(name, from, names, how);
  if (typeof found === "string") return { path: found, query };
  return found ?? (await byTsconfig(name, names, query)) ?? { problem: unknownName(name) };
}

function unknownName(name: string): string {
  const [scope = "", rest] = name.split("/");
  const wanted = name.startsWith("@") && rest !== undefined ? `${scope}/${rest}` : scope;
  return t.unknownName(name, wanted);
}

const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Null if the path leads out of the deed. */
function join(base: string, relative: string): string | null {
  const out = base === "" ? [] : base.split("/");
  for (const step of relative.split("/")) {
    if (step === "..") {
      if (out.pop() === undefined) return null;
    } else if (step !== "." && step !== "") out.push(step);
  }
  return out.join("/");
}

/** The file itself, its TypeScript source, the path with an extension, or a folder's index. */
function file(path: string, { has }: Names): string | null {
  const candidates = [path];
  for (const [pattern, sources] of compiled)
    if (pattern.test(path)) candidates.push(...sources.map((ending) => path.replace(pattern, ending)));
  candidates.push(
    ...endings.map((ending) => path + ending),
    ...endings.map((ending) => (path === "" ? `index${ending}` : `${path}/index${ending}`)),
  );
  return candidates.find((candidate) => candidate !== "" && has(candidate)) ?? null;
}

async function packageAt(path: string, { has, read }: Names): Promise<Package | null> {
  if (!has(path)) return null;
  const text = await read(path);
  return text === null ? null : jsonObject(text);
}

/** The folders from that of `path` up to the root. */
function above(path: string): readonly string[] {
  const folders = [];
  for (let each = folder(path); each !== ""; each = folder(each)) folders.push(each);
  return [...folders, ""];
}

async function packaged(name: string, from: string, names: Names, how: How): Promise<string | { readonly problem: string } | null> {
  const [, owner = "", rest = ""] = /^((?:@[^/]+\/)?[^/]+)(\/[^]*)?$/.exec(name) ?? [];
  for (const base of above(from)) {
    if (/(^|\/)node_modules$/.test(base)) continue;
    const root = join(base, `node_modules/${owner}`);
    if (root === null) continue;
    const found = await packageAt(`${root}/package.json`, names);
    if (found === null) {
      const bare = file(root + rest, names);
      if (bare !== null) return bare;
      continue;
    }
    const inside = packagePaths(found, `.${rest}`, how);
    for (const path of inside) {
      const joined = join(root, path);
      const hit = joined === null || !`${joined}/`.startsWith(`${root}/`) ? null : file(joined, names);
      if (hit !== null) return hit;
    }
    return { problem: inside.length === 0 ? t.notExported(owner, root, name) : t.exportMissing(owner, root, name) };
  }
  return null;
}

async function internal(name: string, from: string, names: Names, how: How): Promise<string | null> {
  for (const base of above(from)) {
    const found = await packageAt(base === "" ? "package.json" : `${base}/package.json`, names);
    if (found === null) continue;
    const target = internalPath(found, name, how);
    if (target === null) return null;
    if (!target.startsWith(".")) {
      const other = await packaged(target, from, names, how);
      return typeof other === "string" ? other : null;
    }
    const path = join(base, target);
    return path === null ? null : file(path, names);
  }
  return null;
}

/** Resolves `paths` of the tsconfig.json in the deed's root, such as `"@/*": ["./src/*"]`. */
async function byTsconfig(name: string, names: Names, query: string): Promise<Found | null> {
  for (const config of ["tsconfig.json", "tsconfig.app.json", "jsconfig.json"]) {
    const text = names.has(config) ? await names.read(config) : null;
    const options = text === null ? null : jsonObject(text)?.["compilerOptions"];
    if (!isObject(options) || !isObject(options["paths"])) continue;
    const base = typeof options["baseUrl"] === "string" ? (join("", options["baseUrl"]) ?? "") : "";
    for (const [pattern, targets] of Object.entries(options["paths"])) {
      const [before = "", after] = pattern.split("*");
      const fits = after === undefined ? name === pattern : name.startsWith(before) && name.endsWith(after);
      if (!fits || !Array.isArray(targets)) continue;
      const matched = after === undefined ? "" : name.slice(before.length, name.length - after.length);
      for (const target of targets) {
        const path = join(
          base,
          String(target).replace("*", () => matched),
        );
        const found = path === null ? null : file(path, names);
        if (found !== null) return { path: found, query };
      }
    }
  }
  return null;
}
