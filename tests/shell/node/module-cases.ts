import type { Case } from "./cases.ts";

/** Errors of imports that can't be resolved. Only the browser's own engine gets modules as separate texts. */
export const moduleCases: readonly Case[] = [
  {
    run: "node main.mjs",
    files: {
      "a.mjs": "export const a = 1",
      "main.mjs": `import { a } from "./a.mjs";\nimport {\n  nope as x,\n} from "./a.mjs";\nconsole.log(a, x)`,
    },
  },
  {
    run: "node main.mjs",
    files: { "c.cjs": "module.exports = { ['x' + 1]: 2 }", "main.mjs": `import { x1 as y } from "./c.cjs"; console.log(y)` },
  },
  {
    run: "node main.mjs 2>&1 | grep '^Error\\|code:'",
    files: { "main.mjs": `import "./b.mjs"`, "b.mjs": `import x from "gone-package"; console.log(x)` },
  },
  `for (const name of ["gone", "./gone.mjs", "node:gone", "#gone"]) try { await import(name) } catch (e) { console.log(e instanceof Error, e.name, e.code, e.message) } export {}`,
  `import("gone").catch((e) => console.log(e instanceof Error, e.code, String(e)))`,
  {
    run: "node main.mjs 2>/dev/null",
    files: {
      "d.json": `{"a":1}`,
      "main.mjs": `import d from "./d.json" assert { type: "json" };\nexport { default as e } from './d.json' assert {type: 'json'}; console.log(d, "from 'x' assert {")`,
    },
  },
];
