// Prints the headers of public/_headers as a server configuration: node scripts/hosting.mjs nginx|caddy [sub-path, default /vibey/]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { readHeaderRules } from "./headers.mjs";

/** @typedef {import("./headers.mjs").HeaderRule} HeaderRule */

/** @param {Record<string, string>} headers @param {(name: string, value: string) => string} line @returns {string} */
const lines = (headers, line) =>
  Object.entries(headers)
    .map(([name, value]) => line(name, value))
    .join("\n");

/** The headers of every response. @param {HeaderRule[]} rules @returns {Record<string, string>} */
function general(rules) {
  return rules.find(({ pattern }) => pattern === "/*")?.headers ?? {};
}

/**
 * A `location` for each path. In nginx, a block that sets a header inherits none, so each block lists all of them.
 * @param {HeaderRule[]} rules
 * @param {string} base the app's path, with a slash at both ends
 * @returns {string}
 */
export function nginx(rules, base) {
  const blocks = rules
    .filter(({ pattern }) => pattern !== "/*")
    .map(({ pattern, headers }) => {
      const path = base + pattern.slice(1).replace(/\*$/, "");
      const match = pattern.endsWith("*") ? `^~ ${path}` : `= ${path}`;
      const all = { ...general(rules), "Cache-Control": "no-cache", ...headers };
      const index = pattern === "/" ? "\n    try_files ${uri}index.html =404;" : "";
      return `location ${match} {${index}\n${lines(all, (name, value) => `    add_header ${name} "${value}" always;`)}\n}`;
    });
  const rest = `location ${base} {\n${lines({ ...general(rules), "Cache-Control": "no-cache" }, (name, value) => `    add_header ${name} "${value}" always;`)}\n}`;
  return [...blocks, rest].join("\n");
}

/**
 * A `header` for each path, in a `route`, which keeps their order: a later header replaces an earlier one of the same name.
 * @param {HeaderRule[]} rules
 * @param {string} base the app's path, with a slash at both ends
 * @returns {string}
 */
export function caddy(rules, base) {
  const blocks = rules.map(({ pattern, headers }) => {
    const all = pattern === "/*" ? { "Cache-Control": "no-cache", ...headers } : headers;
    return `    header ${base}${pattern.slice(1)} {\n${lines(all, (name, value) => `        ${name} "${value}"`)}\n    }`;
  });
  return `route {\n${blocks.join("\n")}\n}`;
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? "")).href) {
  const [kind, base = "/vibey/"] = process.argv.slice(2);
  const rules = readHeaderRules(resolve(import.meta.dirname, "../public/_headers"));
  if (kind === "nginx") console.log(nginx(rules, base));
  else if (kind === "caddy") console.log(caddy(rules, base));
  else {
    console.error("Expected: node scripts/hosting.mjs nginx|caddy [sub-path]");
    process.exit(2);
  }
}
