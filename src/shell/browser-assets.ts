import { joinBytes } from "../fs/bytes.ts";
import type { AssetName, LoadAsset } from "./assets.ts";

/**
 * Where the files lie that come with the app. Each is fetched when a command first needs it. The service worker keeps the engines of `node` and `jq`
 * for use offline, and those of `python3` and `sqlite3` once they were used: see scripts/vite/service-worker.ts.
 */
const places: Partial<Record<AssetName, () => Promise<{ readonly default: string }>>> = {
  "quickjs.wasm": () => import("quickjs-wasi/quickjs.wasm?url"),
  "node-process.js": () => import("virtual:node-process"),
  "jq.wasm": () => import("virtual:jq.wasm"),
  "python/pyodide.asm.wasm": () => import("pyodide/pyodide.asm.wasm?url"),
  "python/python_stdlib.zip": () => import("pyodide/python_stdlib.zip?url"),
  "sqlite.wasm": () => import("sql.js/dist/sql-wasm.wasm?url"),
};

/** The sandbox's files, from where the app is served. */
export const browserAssets: LoadAsset = async (name, progress) => {
  const place = Object.hasOwn(places, name) ? places[name] : undefined;
  if (place === undefined) throw new Error(`${name} is no part of this app`);
  const response = await fetch((await place()).default).catch(() => null);
  if (!response?.ok) throw new Error(`${name} could not be loaded${response ? ` (${response.status})` : "; are you offline?"}`);
  const total = Number(response.headers.get("content-length")) || null;
  const chunks: Uint8Array[] = [];
  let loaded = 0;
  // Safari's streams are no async iterables.
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    chunks.push(read.value);
    loaded += read.value.length;
    progress?.(loaded, total);
  }
  return joinBytes(chunks);
};
