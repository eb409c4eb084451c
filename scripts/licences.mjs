// The licences of everything that Vibey ships: the lock file's packages for the product, each with its own text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** @typedef {{ version: string, license?: string, dev?: boolean, hasInstallScript?: boolean, optional?: boolean, name?: string }} LockedPackage */
/** @typedef {{ name: string, version: string, licence: string, text: string }} Licensed */

/** Licences that let Vibey be distributed under the MIT licence if their text comes with it. MPL-2.0 is for Pyodide's unchanged files. */
export const allowed = new Set([
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "Unlicense",
  "MPL-2.0",
  "(MIT AND Zlib)",
  "(MIT AND BSD-3-Clause)",
]);

/** An optional peer dependency of valibot, only for its types. */
const notShipped = /^node_modules\/(typescript|@typescript\/.*)$/;

/** Packages without a licence file. `as`: the file with the text; `by`: the copyright line of their package.json or source. */
const withoutText = new Map([
  ["@nodable/entities", { as: "MIT", by: "Amit Gupta" }],
  ["@tokenizer/token", { as: "MIT", by: "Borewit" }],
  ["clean-git-ref", { as: "Apache-2.0", by: "Eli White" }],
  ["diff3", { as: "MIT", by: "Tyler Wanek" }],
  ["minimisted", { as: "MIT", by: "Yoshiya Hinosawa" }],
  ["pyodide", { as: "MPL-2.0", by: "Pyodide contributors and Mozilla" }],
  ["standardwebhooks", { as: "MIT", by: "Standard Webhooks contributors" }],
]);

/** Code of others inside packages that don't include its licence. */
const inside = [
  { name: "CPython and its standard library (in pyodide)", licence: "PSF-2.0", text: () => textOf("Python") },
  {
    name: "List prices of models (from @pydantic/genai-prices)",
    licence: "MIT",
    text: () => `Copyright (c) Pydantic Services Inc. 2025 to present\n\n${textOf("MIT")}`,
  },
  { name: "jq (in jq-wasm)", licence: "MIT", text: () => `Copyright (C) 2012 Stephen Dolan\n\n${textOf("MIT")}` },
  {
    name: "decNumber (in jq-wasm)",
    licence: "ICU",
    text: () => `Copyright (c) 1995-2005 International Business Machines Corporation and others\n\n${textOf("ICU")}`,
  },
  { name: "Oniguruma (in jq-wasm)", licence: "BSD-2-Clause", text: () => `Copyright (c) 2002-2021 K.Kosako\n\n${textOf("BSD-2-Clause")}` },
  { name: "SQLite (in sql.js)", licence: "public domain", text: () => "The authors of SQLite have put it into the public domain." },
];

/** @returns {Record<string, LockedPackage>} all packages of the lock file, by folder */
export function lockedPackages() {
  const { "": _own, ...packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  return packages;
}

/** @returns {[folder: string, LockedPackage][]} the packages that the product is built from */
export function productPackages() {
  return Object.entries(lockedPackages()).filter(([folder, entry]) => entry.dev !== true && !notShipped.test(folder));
}

/** @returns {Licensed[]} throws if a licence isn't allowed or a text is missing */
export function licences(packages = productPackages(), folderOf = (/** @type {string} */ folder) => join(root, folder)) {
  return packages.map(([folder, entry]) => {
    const name = entry.name ?? nameOf(folder);
    const licence = entry.license ?? "none";
    if (!allowed.has(licence))
      throw new Error(`${name} ${entry.version} has the licence ${licence}; expected one of ${[...allowed].join(", ")}`);
    return { name, version: entry.version, licence, text: ownText(name, folderOf(folder)) };
  });
}

/** @param {readonly Licensed[]} all @returns {string} the page that the app links to */
export function licencesPage(all) {
  const unique = new Map(all.map((each) => [`${each.name} ${each.version}`, each]));
  const parts = [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([title, { licence, text }]) => section(title, licence, text));
  const vibey = section("Vibey", "MIT", readFileSync(join(root, "LICENSE"), "utf8"));
  const held = inside.map(({ name, licence, text }) => section(name, licence, text()));
  return `Vibey is built from the packages below. Their sources are at https://www.npmjs.com/package/<name>.\n\n${[vibey, ...parts, ...held].join("\n")}`;
}

/**
 * The packages of bundled modules that aren't in the list.
 * @param {Iterable<string>} moduleIds @param {readonly Licensed[]} all @returns {string[]}
 */
export function unlisted(moduleIds, all) {
  const names = new Set(all.map(({ name }) => name));
  const found = [...moduleIds].flatMap((id) => (id.includes("/node_modules/") ? [nameOf(id)] : []));
  return [...new Set(found)].filter((name) => !names.has(name)).toSorted();
}

/** @param {string} path @returns {string} the package of a file or folder below node_modules */
function nameOf(path) {
  const [, name = ""] = /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/?]+)/.exec(path) ?? [];
  return name;
}

/** @param {string} name @param {string} folder */
function ownText(name, folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)) : [];
  const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  if (text !== "") return text;
  const known = withoutText.get(name);
  if (known === undefined) throw new Error(`${name} has no file with its licence in ${folder}; add it to scripts/licences.mjs`);
  return `Copyright (c) ${known.by}\n\n${textOf(known.as)}`;
}

/** @param {string} licence */
function textOf(licence) {
  return readFileSync(join(root, "scripts/licences", `${licence}.txt`), "utf8").trim();
}

/** @param {string} title @param {string} licence @param {string} text */
function section(title, licence, text) {
  return `${"=".repeat(78)}\n${title} (${licence})\n${"=".repeat(78)}\n\n${text.trim()}\n`;
}
