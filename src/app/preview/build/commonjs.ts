import type { CommonJs } from "./built.ts";

const name = String.raw`[A-Za-z_$][\w$]*`;

/** Whether a text without import and export uses features that only CommonJS has. */
export function looksCommonJs(code: string): boolean {
  return /\bmodule\.exports\b|(?<![\w$.])exports(?:\.|\[)|(?<![\w$.])require\s*\(\s*["']/.test(code);
}

/** Found by searching the text, including comments. A false match only costs a file lookup, or adds a name that is undefined. */
export function inspectCommonJs(code: string): CommonJs {
  const exports = new Set<string>();
  const all = (pattern: RegExp) => [...code.matchAll(pattern)].map((match) => match[1] ?? "");
  for (const found of all(new RegExp(String.raw`\bexports\.(${name})\s*=(?!=)`, "g"))) exports.add(found);
  for (const found of all(new RegExp(String.raw`\bexports\[["'](${name})["']\]\s*=(?!=)`, "g"))) exports.add(found);
  for (const found of all(new RegExp(String.raw`\bdefineProperty\(\s*(?:module\.)?exports\s*,\s*["'](${name})["']`, "g")))
    exports.add(found);
  // Matches esbuild's `__export(x, { a: () => a })` and `module.exports = { a, b: c }`.
  for (const body of all(/\b__export\(\s*[\w$]+\s*,\s*\{([^]*?)\}\s*\)/g)) for (const key of keys(body)) exports.add(key);
  for (const body of all(/\bmodule\.exports\s*=\s*\{([^{}]*)/g)) for (const key of keys(body)) exports.add(key);
  exports.delete("default");
  exports.delete("__esModule");
  return {
    text: code,
    requires: [...new Set(all(/(?<![\w$.])require\s*\(\s*["']([^"'\n]+)["']\s*\)/g))],
    exports: [...exports],
    reexports: [
      ...new Set([
        ...all(/\bmodule\.exports\s*=\s*require\s*\(\s*["']([^"'\n]+)["']\s*\)/g),
        ...all(/\b_*(?:exportStar|export|reExport)\w*\(\s*require\s*\(\s*["']([^"'\n]+)["']\s*\)/g),
      ]),
    ],
  };
}

const keys = (body: string) =>
  [...body.matchAll(new RegExp(String.raw`(?:^|,)\s*(?:get\s+)?["']?(${name})["']?\s*(?=[:,(]|$)`, "g"))].map((match) => match[1] ?? "");
