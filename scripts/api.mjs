// Writes docs/api.md and src/protocol/own-segments.ts from the table of calls in src/protocol/routes.ts. A test compares them.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The calls in the table, each with its description. @param {string} source text of src/protocol/routes.ts */
export function callsOf(source) {
  const table = source.slice(source.indexOf("export const routes = {"), source.indexOf("} as const"));
  return [...table.matchAll(/\/\*\*([\s\S]*?)\*\/\s*"(\w+) ([^"]+)": "(\w+)"/g)].map(
    ([, comment = "", method = "", path = "", part = ""]) => ({
      method,
      path,
      part,
      says: comment
        .replaceAll(/^\s*\* ?/gm, "")
        .trim()
        .split(/\n?- /)
        .map((line) => line.replaceAll(/\s+/g, " ").trim())
        .filter((line) => line !== ""),
    }),
  );
}

/** @typedef {ReturnType<typeof callsOf>} Calls */

/** A path as the page shows it: `/deed/<path>`. @param {string} path */
const shown = (path) => path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "<$1>");

/** @param {Calls} calls */
export function apiPage(calls) {
  const rows = calls.flatMap(({ method, path, says }) =>
    says.map((line) => {
      const [takes = "", ...answers] = line.split("→");
      return `| \`${method} ${shown(path)}\` | ${takes.trim().replaceAll("|", "\\|")} | ${answers.join("→").trim().replaceAll("|", "\\|")} |`;
    }),
  );
  return `# The API

Every call that the engine answers. In the console of the page, \`fetch("dialogs")\` makes one: whatever a button does can be done this way. Paths are under the app's base.
Bodies and answers are JSON of the shapes in \`src/protocol/\`; an error is \`{error}\` with a status. SSE is a stream of events.

This page is made from \`src/protocol/routes.ts\` by \`node scripts/api.mjs\`.

| call | takes | answers |
|---|---|---|
${rows.join("\n")}
`;
}

/** First segments that belong to the engine as a whole. The folder \`sandbox\` also holds scripts: own-paths.ts tells its calls apart. @param {Calls} calls */
export function ownSegments(calls) {
  const segments = [...new Set(calls.map(({ path }) => path.split("/")[1] ?? ""))].filter((segment) => segment !== "sandbox");
  return `/** First segments of the engine's paths; everything else under the base is a static file. Made from \`routes.ts\` by \`node scripts/api.mjs\`. */
export const ownSegments = [
${segments.map((segment) => `  ${JSON.stringify(segment)},`).join("\n")}
];
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.chdir(resolve(import.meta.dirname, ".."));
  const calls = callsOf(readFileSync("src/protocol/routes.ts", "utf8"));
  writeFileSync("docs/api.md", apiPage(calls));
  writeFileSync("src/protocol/own-segments.ts", ownSegments(calls));
  console.log(`${calls.length} calls`);
}
