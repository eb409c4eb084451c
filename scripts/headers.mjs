import { readFileSync } from "node:fs";

/** @typedef {{ pattern: string, headers: Record<string, string> }} HeaderRule */

/**
 * Reads a `_headers` file in the format that Netlify and Cloudflare Pages share: a path (a `*` at its end matches the rest),
 * then indented `Name: value` lines.
 * @param {string} file
 * @returns {HeaderRule[]}
 */
export function readHeaderRules(file) {
  /** @type {HeaderRule[]} */
  const rules = [];
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (!/^\s/.test(line)) {
      rules.push({ pattern: line.trim(), headers: {} });
      continue;
    }
    const at = line.indexOf(":");
    const rule = rules.at(-1);
    if (!rule || at < 0) throw new Error(`${file}: a header line without a path or a colon: ${line}`);
    rule.headers[line.slice(0, at).trim()] = line.slice(at + 1).trim();
  }
  return rules;
}

/**
 * @param {HeaderRule[]} rules
 * @param {string} path the request's path under the app's base, with its leading slash
 * @returns {Record<string, string>}
 */
export function headersFor(rules, path) {
  /** @type {Record<string, string>} */
  const headers = {};
  for (const { pattern, headers: own } of rules) {
    const hit = pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
    if (hit) Object.assign(headers, own);
  }
  return headers;
}
