import { joinBytes } from "../fs/bytes.ts";
import type { AssetName, LoadAsset } from "./assets.ts";

/**
 * The addresses of the files that come with the app. Each file is fetched when a command first needs it. The service worker caches the engines of
 * `node` and `jq` for offline use, and those of `python3` and `sqlite3` after their first use: see scripts/vite/service-worker.ts.
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
  /** The listeners of every caller that waits for this load. */
  readonly progress: Set<Progress>;
}

/** The loads that are under way. */
const loads = new Map<AssetName, Load>();

/**
 * Fetches the sandbox's files from the app's server. Concurrent requests for the same file share one fetch: Chromium aborts one of two requests for a
 * large file that begin together (`ERR_CACHE_WRITE_FAILURE`), and a dialog's shell and the shell that makes Python's snapshot begin together.
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
  // Safari's streams are not async iterables.
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    chunks.push(read.value);
    loaded += read.value.length;
    progress(loaded, total);
  }
  return joinBytes(chunks);
}
