// Checks how the modules of src import each other. Prints import cycles, imports from a higher layer, and imports of files that their layer
// doesn't list as entry points in its README. All three must be zero.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A layer may import itself and the layers before it. `sw` gets its messages from `app`. */
export const layers = ["fs", "dialog", "protocol", "shell", "engine", "app", "sw"];

/**
 * @typedef {{ from: string, to: string, lazy: boolean }} Import
 * @typedef {(path: string) => string | null} Read returns the text of a file, or null if there is no file
 */

/** The relative imports of a file, including types. @param {string} path @param {string} text @returns {Import[]} */
export function importsOf(path, text) {
  const found = [];
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
  for (const match of code.matchAll(
    /\b(?:import|export)\b[^;"'()]*?\bfrom\s*"(\.[^"]+)"|\bimport\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g,
  )) {
    const [, from, bare, lazy] = match;
    const to = normalize(join(dirname(path), (from ?? bare ?? lazy ?? "").replace(/\?.*$/, "")));
    found.push({ from: path, to, lazy: lazy !== undefined });
  }
  return found;
}

/** Groups of files that import each other in a cycle. Dynamic imports (`import()`) don't count. @param {readonly Import[]} imports */
export function cycles(imports) {
  /** @type {Map<string, string[]>} */
  const next = new Map();
  for (const { from, to, lazy } of imports) if (!lazy) next.set(from, [...(next.get(from) ?? []), to]);
  /** @type {Map<string, { index: number, low: number, open: boolean }>} */
  const seen = new Map();
  /** @type {string[]} */
  const stack = [];
  /** @type {string[][]} */
  const found = [];
  /** Tarjan's strongly connected components. @param {string} file */
  function visit(file) {
    const own = { index: seen.size, low: seen.size, open: true };
    seen.set(file, own);
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      const other = seen.get(to) ?? visit(to);
      if (other.open) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(file));
      for (const each of group) {
        const state = seen.get(each);
        if (state) state.open = false;
      }
      if (group.length > 1) found.push(group.toSorted());
    }
    return own;
  }
  for (const file of next.keys()) if (!seen.has(file)) visit(file);
  return found;
}

/** @param {string} path */
const layerOf = (path) => path.split("/")[1] ?? "";

/** @param {readonly Import[]} imports */
export const upward = (imports) => imports.filter(({ from, to }) => layers.indexOf(layerOf(to)) > layers.indexOf(layerOf(from)));

/** The entry points that a layer's README lists: lines that begin with "- `file`". A folder includes all its files. @param {string} readme */
export function entryPoints(readme) {
  const section = readme.split(/^## /m).find((part) => part.startsWith("Entry points\n")) ?? "";
  return [...section.matchAll(/^- ((?:`[^`]+`(?:, )?)+)/gm)].flatMap(([, names = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
  );
}

/** @param {readonly Import[]} imports @param {ReadonlyMap<string, readonly string[]>} entries of each layer */
export function past(imports, entries) {
  return imports.filter(({ from, to }) => {
    const layer = layerOf(to);
    if (layer === layerOf(from)) return false;
    const path = relative(`src/${layer}`, to);
    return !(entries.get(layer) ?? []).some((entry) => (entry.endsWith("/") ? path.startsWith(entry) : path === entry));
  });
}

function run() {
  process.chdir(resolve(import.meta.dirname, ".."));
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name));
  const imports = files.flatMap((file) => importsOf(file, readFileSync(file, "utf8"))).filter(({ to }) => existsSync(to));
  const entries = new Map(layers.map((layer) => [layer, entryPoints(readFileSync(`src/${layer}/README.md`, "utf8"))]));
  const missing = [...entries].flatMap(([layer, names]) =>
    names.filter((name) => !existsSync(`src/${layer}/${name}`)).map((name) => `src/${layer}/README.md lists ${name}, which does not exist`),
  );
  const lists = {
    "import cycles": cycles(imports).map((group) => group.join(" ↔ ")),
    "imports of a higher layer": upward(imports).map(({ from, to }) => `${from} → ${to}`),
    "imports past an entry point": past(imports, entries).map(({ from, to }) => `${from} → ${to}`),
    "entry points that do not exist": missing,
  };
  console.log(`${files.length} files, ${imports.length} imports`);
  let faults = 0;
  for (const [title, list] of Object.entries(lists)) {
    console.log(`${String(list.length).padStart(5)}  ${title}`);
    for (const each of list) console.log(`         ${each}`);
    faults += list.length;
  }
  process.exit(faults === 0 ? 0 : 1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) run();
