import { describe, expect, it } from "vitest";
import { jsonObject } from "../../../src/app/preview/build/json.ts";
import { packagePaths } from "../../../src/app/preview/build/packages.ts";
import { resolveImport } from "../../../src/app/preview/build/resolve.ts";

const deed: Record<string, string> = {
  "index.html": "",
  "a.js": "",
  "src/main.ts": "",
  "src/app.tsx": "",
  "src/util/index.ts": "",
  "src/both.js": "",
  "src/both.ts": "",
  "src/data.json": "",
  "src/style.css": "",
  "tsconfig.json": '{ // of Vite\n "compilerOptions": { "paths": { "@/*": ["./src/*"], "main": ["src/main.ts"], }, } }',
  "package.json": '{"imports": {"#inner/*": "./src/*.ts", "#dep": "plain"}}',
  "node_modules/plain/package.json": '{"main": "lib/plain.js"}',
  "node_modules/plain/lib/plain.js": "",
  "node_modules/plain/extra.js": "",
  "node_modules/esm/package.json": '{"main": "main.cjs", "module": "main.mjs"}',
  "node_modules/esm/main.mjs": "",
  "node_modules/esm/main.cjs": "",
  "node_modules/@s/maps/package.json": `{"exports": {".": {"node": "./node.js", "import": {"types": "./t.d.ts", "default": "./i.js"}, "require": "./r.cjs"},
    "./sub/*": "./lib/*.js", "./sub/private/*": null, "./missing": "./no.js"}}`,
  "node_modules/@s/maps/i.js": "",
  "node_modules/@s/maps/r.cjs": "",
  "node_modules/@s/maps/lib/one.js": "",
  "node_modules/@s/maps/lib/private/x.js": "",
  "node_modules/outer/package.json": '{"exports": "./o.js"}',
  "node_modules/outer/o.js": "",
  "node_modules/outer/node_modules/plain/index.js": "",
  "node_modules/evil/package.json": '{"main": "../../../a.js"}',
  "node_modules/broken/package.json": "{",
};
const names = { has: (path: string) => Object.hasOwn(deed, path), read: (path: string) => Promise.resolve(deed[path] ?? null) };

describe("finds", () => {
  it.each([
    ["./both.js", "src/main.ts", "src/both.js"],
    ["./both", "src/main.ts", "src/both.ts"],
    ["./main.js", "src/app.tsx", "src/main.ts"],
    ["./app.js", "src/main.ts", "src/app.tsx"],
    ["./app.jsx", "src/main.ts", "src/app.tsx"],
    ["./app", "src/main.ts", "src/app.tsx"],
    ["./util", "src/main.ts", "src/util/index.ts"],
    ["./util/", "src/main.ts", "src/util/index.ts"],
    [".", "src/util/x.ts", "src/util/index.ts"],
    ["../a", "src/main.ts", "a.js"],
    ["/src/main", "a.js", "src/main.ts"],
    ["./data", "src/main.ts", "src/data.json"],
    ["./style.css?raw", "src/main.ts", "src/style.css?raw"],
    ["plain", "src/main.ts", "node_modules/plain/lib/plain.js"],
    ["plain/extra", "src/main.ts", "node_modules/plain/extra.js"],
    ["plain", "node_modules/outer/o.js", "node_modules/outer/node_modules/plain/index.js"],
    ["plain/extra.js", "node_modules/outer/lib/o.js", "node_modules/plain/extra.js"],
    ["esm", "a.js", "node_modules/esm/main.mjs"],
    ["@s/maps", "a.js", "node_modules/@s/maps/i.js"],
    ["@s/maps/sub/one", "a.js", "node_modules/@s/maps/lib/one.js"],
    ["outer", "a.js", "node_modules/outer/o.js"],
    ["@/main", "src/util/index.ts", "src/main.ts"],
    ["main", "a.js", "src/main.ts"],
    ["#inner/main", "a.js", "src/main.ts"],
    ["#dep", "a.js", "node_modules/plain/lib/plain.js"],
  ])("%s in %s", async (specifier, from, expected) => {
    const found = await resolveImport(specifier, from, names);
    expect("path" in found ? found.path + found.query : found).toBe(expected);
  });

  it.each([
    ["esm", "node_modules/esm/main.cjs"],
    ["@s/maps", "node_modules/@s/maps/r.cjs"],
  ])("%s for require", async (specifier, expected) => {
    expect(await resolveImport(specifier, "a.js", names, "require")).toEqual({ path: expected, query: "" });
  });
});

describe("says why there is nothing", () => {
  it.each([
    ["./none.js", "./none.js isn't in the project."],
    ["../../a.js", "../../a.js isn't in the project."],
    ["https://esm.sh/react", /^The preview has no network access, so it can't load https:\/\/esm\.sh\/react/],
    ["node:fs", /is a Node\.js module/],
    ["nothing", /node_modules\/nothing doesn't exist\. Try npm install nothing\.$/],
    ["@a/b/c", /node_modules\/@a\/b doesn't exist\. Try npm install @a\/b\.$/],
    ["@s/maps/other", `The package @s/maps in node_modules/@s/maps doesn't export "@s/maps/other".`],
    ["@s/maps/sub/private/x", /doesn't export/],
    ["@s/maps/missing", /exports "@s\/maps\/missing", but that file is missing/],
    ["evil", /is missing/],
    ["broken", /node_modules\/broken doesn't exist/],
  ])("%s", async (specifier, problem) => {
    const found = await resolveImport(specifier, "src/main.ts", names);
    expect(found).toEqual({ problem: typeof problem === "string" ? problem : expect.stringMatching(problem) });
  });
});

it.each([
  ['{"a": "//b", /* c */ "d": [1, 2,], }', { a: "//b", d: [1, 2] }],
  ['{"a": ",}"}', { a: ",}" }],
  ["[1]", null],
  ["{", null],
])("%s", (text, expected) => expect(jsonObject(text)).toEqual(expected));

it.each([
  ["an array takes the first that holds", { exports: [{ node: "./n.js" }, "./d.js"] }, ["./d.js"]],
  ["the order of the conditions is the package's", { exports: { default: "./d.js", import: "./i.js" } }, ["./d.js"]],
  ["main is last, before the index", { module: "m.mjs", browser: "b.js", main: "m.js" }, ["m.mjs", "b.js", "m.js", "./index"]],
  ["a map of browsers is no main", { browser: { "./a.js": "./b.js" } }, ["./index"]],
])("%s", (_what, found, expected) => expect(packagePaths(found, ".", "import")).toEqual(expected));
