// The checks that don't run Vibey's code. `npm test` and `npm run check` share them.

/** @type {readonly { title: string, script: string, args: readonly string[] }[]} */
export const checks = [
  { title: "types", script: "node_modules/typescript/bin/tsc", args: ["-b"] },
  {
    title: "lint",
    script: "node_modules/oxlint/bin/oxlint",
    args: ["--type-aware", "--deny-warnings", "src", "bridge", "tests", "e2e", "scripts", "bench", "chaos"],
  },
  { title: "format", script: "node_modules/@biomejs/biome/bin/biome", args: ["format", "."] },
  { title: "unused code", script: "node_modules/knip/bin/knip.js", args: [] },
  { title: "imports", script: "scripts/imports.mjs", args: [] },
];
