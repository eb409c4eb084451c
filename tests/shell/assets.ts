import type { AssetName, LoadAsset } from "../../src/shell/assets.ts";
import { browserAssets } from "../../src/shell/browser-assets.ts";

/** The paths of the assets in their packages, below `node_modules`. */
const places: Partial<Record<AssetName, string>> = {
  "quickjs.wasm": "quickjs-wasi/quickjs.wasm",
  "python/pyodide.asm.wasm": "pyodide/pyodide.asm.wasm",
  "python/python_stdlib.zip": "pyodide/python_stdlib.zip",
  "sqlite.wasm": "sql.js/dist/sql-wasm.wasm",
};

/** The sandbox's files for tests: in a browser the same as in the app, in Node from the packages. */
export const testAssets: LoadAsset = async (name, progress) => {
  if (typeof process === "undefined" || process.versions?.node === undefined) return browserAssets(name, progress);
  if (name === "jq.wasm") return (await import("../../scripts/vite/jq-wasm.ts")).readJq();
  const place = places[name];
  if (place === undefined) throw new Error(`${name} is no part of this app`);
  const { readFile } = await import("node:fs/promises");
  return new Uint8Array(await readFile(new URL(`../../node_modules/${place}`, import.meta.url)));
};
