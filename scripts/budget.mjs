// The size of the first load in gzip kilobytes: the page's scripts and the engine's script, with everything they import statically.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Gzip kilobytes of all scripts, page and workers together, that load before the user can type into doc-main.md. */
export const limitKB = 64;

/** @param {string} file */
const gz = (file) => gzipSync(readFileSync(file), { level: 9 }).length / 1024;

/** The files that a built module imports statically: `import … from "./x.js"`, not `import("./x.js")`. @param {string} file @returns {string[]} */
function staticImports(file) {
  const code = readFileSync(file, "utf8");
  return [...code.matchAll(/(?:^|[;}\s])(?:import|export)\s*(?:[\w*{][^"'()]*?from)?\s*["'](\.[^"']+\.js)["']/g)].map((match) =>
    join(file, "..", match[1] ?? ""),
  );
}

/** @param {string} entry @param {Set<string>} [seen] @returns {Set<string>} */
function closure(entry, seen = new Set()) {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const file of staticImports(entry)) closure(file, seen);
  return seen;
}

/** @param {string} dist @returns {{ parts: { name: string, kb: number }[], total: number }} */
export function firstLoad(dist) {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  const scripts = [...html.matchAll(/<script[^>]+src="\.\/([^"]+)"/g)].map((match) => join(dist, match[1] ?? ""));
  const engine = readdirSync(join(dist, "engine")).filter((name) => /^worker-[\w-]+\.js$/.test(name));
  if (scripts.length === 0) throw new Error("dist/index.html loads no script");
  if (engine.length !== 1) throw new Error(`expected one engine worker in dist/engine, found ${engine.join(", ") || "none"}`);
  const entries = engine.map((name) => join(dist, "engine", name));
  const files = new Set([...scripts, ...entries].flatMap((file) => [...closure(file)]));
  const parts = [...files].map((file) => ({ name: file.slice(dist.length + 1), kb: gz(file) }));
  return { parts, total: parts.reduce((sum, { kb }) => sum + kb, 0) };
}

if (process.argv[1] === import.meta.filename) {
  const { parts, total } = firstLoad("dist");
  for (const { name, kb } of parts) console.log(`${kb.toFixed(1).padStart(7)} KB  ${name}`);
  console.log(`${total.toFixed(1).padStart(7)} KB  first load, of ${limitKB}`);
  if (total > limitKB) process.exit(1);
}
