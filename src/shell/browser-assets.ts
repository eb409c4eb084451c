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

type Progress = (loaded: number, total: number | null) => void;

interface Load {
  readonly bytes: Promise<Uint8Array>;
  /** Of all that wait for it. */
  readonly progress: Set<Progress>;
}

/** What is on its way. */
const loads = new Map<AssetName, Load>();

/**
 * The sandbox's files, from where the app is served. What several ask for at one time is fetched once: Chromium breaks off one of two requests for a
 * large file that begin together (`ERR_CACHE_WRITE_FAILURE`), and a dialog's shell and the one that makes Python's snapshot begin together.
 */
export const browserAssets: LoadAsset = async (name, progress) => {
  let load = loads.get(name);
  if (load === undefined) {
    const told = new Set<Progress>();
    const bytes = fetchAsset(name, (...state) => told.forEach((tell) => tell(...state))).finally(() => loads.delete(name));
    load = { bytes, progress: told };
    loads.set(name, load);
  }
  if (progress !== undefined) load.progress.add(progress);
  return load.bytes;
};

async function fetchAsset(name: AssetName, progress: Progress): Promise<Uint8Array> {
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
    progress(loaded, total);
  }
  return joinBytes(chunks);
}
