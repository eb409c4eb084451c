import { describe, expect, test } from "vitest";
import { findFile, type FindOptions } from "../../../src/shell/embedded/node/modules/find-file.ts";
import { createResolver } from "../../../src/shell/embedded/node/modules/resolve.ts";
import { createShellFiles } from "../../../src/shell/embedded/shell-files.ts";

const texts: Readonly<Record<string, string>> = {
  "package.json": `{ "name": "own", "exports": { "./a": "./src/a.js" }, "imports": { "#b": "./src/b.ts" } }`,
  "src/a.js": "",
  "src/b.ts": "",
  "src/folder/index.ts": "",
  "lib/only.js": "",
  "node_modules/plain/package.json": `{ "main": "./m" }`,
  "node_modules/plain/m.js": "",
  "node_modules/plain/other.json": "",
  "node_modules/both/package.json": `{ "exports": { ".": { "require": "./c.cjs", "import": "./m.mjs" }, "./closed": null } }`,
  "node_modules/both/c.cjs": "",
  "node_modules/both/m.mjs": "",
  "node_modules/both/closed.js": "",
};

const files = createShellFiles({
  refusal: () => null,
  record: () => undefined,
  fetch: async () => null,
  now: () => 0,
  failure: (message) => new Error(message),
}).now;
for (const [name, text] of Object.entries(texts)) {
  const path = `/project/${name}`;
  files.makeFolder(path.slice(0, path.lastIndexOf("/")), true);
  files.write(path, new TextEncoder().encode(text));
}
const find = (request: string, options: FindOptions = {}): string | null =>
  findFile(files, createResolver(files, []), "/project/src", request, options);

describe("a program that finds modules by rules of its own", () => {
  test("finds files by their extensions, and folders by their main file", () => {
    expect(find("./a")).toBe("/project/src/a.js");
    expect(find("./b")).toBe(null);
    expect(find("./b", { extensions: [".ts"] })).toBe("/project/src/b.ts");
    expect(find("./folder/", { extensions: [".ts"] })).toBe("/project/src/folder/index.ts");
    expect(find("./a", { fullySpecified: true })).toBe(null);
  });

  test("finds packages by their exports and conditions, and their folders under other names", () => {
    expect(find("plain")).toBe("/project/node_modules/plain/m.js");
    expect(find("plain/other")).toBe("/project/node_modules/plain/other.json");
    expect(find("both", { conditionNames: ["require"] })).toBe("/project/node_modules/both/c.cjs");
    expect(find("both", { conditionNames: ["import"] })).toBe("/project/node_modules/both/m.mjs");
    expect(() => find("both/closed")).toThrow("is not defined by");
    expect(find("only", { modules: ["node_modules", "/project/lib"] })).toBe("/project/lib/only.js");
    expect(find("only")).toBe(null);
  });

  test("finds what the package exports itself, its private names and paths below a root", () => {
    expect(find("own/a")).toBe("/project/src/a.js");
    expect(find("#b")).toBe("/project/src/b.ts");
    expect(find("/src/a", { roots: ["/project"] })).toBe("/project/src/a.js");
    expect(find("/project/src/a")).toBe("/project/src/a.js");
  });
});
