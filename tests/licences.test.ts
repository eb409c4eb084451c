import { expect, test } from "vitest";
import { allowed, licences, licencesPage, lockedPackages, productPackages, unlisted } from "../scripts/licences.mjs";
import { licences as plugin } from "../scripts/vite/licences.ts";

const all = licences();

test("every package of the product has an allowed licence and its text", () => {
  expect(all.length).toBeGreaterThan(100);
  for (const { name, licence, text } of all) {
    expect(allowed, name).toContain(licence);
    expect(text.length, name).toBeGreaterThan(200);
  }
  expect([...allowed].filter((licence) => /GPL/.test(licence))).toEqual([]);
});

test("the page names each with its version and its text, and what packages hold of others", () => {
  const page = licencesPage(all);
  for (const { name, version, licence, text } of all) {
    expect(page).toContain(`${name} ${version} (${licence})`);
    expect(page).toContain(text.trim());
  }
  for (const words of [
    "Vibey (MIT)",
    "PYTHON SOFTWARE FOUNDATION LICENSE",
    "Mozilla Public License Version 2.0",
    "SQLite (in sql.js)",
    "jq (in jq-wasm)",
  ])
    expect(page).toContain(words);
});

test("nothing that is installed runs a script of its own, and nothing of it is LGPL", () => {
  const packages = Object.entries(lockedPackages());
  expect(packages.flatMap(([folder, entry]) => (entry.hasInstallScript === true ? [folder] : []))).toEqual([]);
  expect(productPackages().flatMap(([folder, { license }]) => (/GPL/.test(license ?? "") ? [folder] : []))).toEqual([]);
});

test("a licence that is not allowed, and a text that is missing, are refused by name", () => {
  const [folder] = productPackages()[0] ?? [""];
  const entry = { version: "1.0.0", name: "acme", license: "LGPL-3.0" };
  expect(() => licences([[folder, entry]])).toThrow("acme 1.0.0 has the licence LGPL-3.0; expected one of MIT, ISC");
  expect(() => licences([[folder, { version: "1.0.0", name: "acme" }]])).toThrow("acme 1.0.0 has the licence none");
  expect(() => licences([[folder, { ...entry, license: "MIT" }]], () => "/nowhere")).toThrow("acme has no file with its licence");
});

test("a build that bundles a package without a licence fails", () => {
  const ids = [
    "/p/src/a.ts",
    "\0virtual",
    "/p/node_modules/acme/index.js?commonjs",
    "/p/node_modules/a/node_modules/@acme/b/c.js",
    "/p/node_modules/idb/x.js",
  ];
  expect(unlisted(ids, all)).toEqual(["@acme/b", "acme"]);
  const { generateBundle } = plugin({ writes: false });
  if (typeof generateBundle !== "function") throw new Error("the plugin has no such hook");
  const failed: string[] = [];
  const context = { error: (words: string) => failed.push(words) };
  const chunk = { type: "chunk", modules: Object.fromEntries(ids.map((id) => [id, {}])) };
  void generateBundle.call(context as never, {} as never, { "a.js": chunk } as never, false);
  expect(failed).toEqual([expect.stringContaining("No licence is written for @acme/b, acme")]);
});
