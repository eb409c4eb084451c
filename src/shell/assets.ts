/**
 * Loads files of Vibey that the sandbox needs only when a command is first called. The engine fetches them because the shell's worker has no network.
 * `progress` receives the number of bytes loaded so far; `total` is null if it is unknown.
 */
export type LoadAsset = (name: AssetName, progress?: (loaded: number, total: number | null) => void) => Promise<Uint8Array>;

/** The names of the assets. `python/snapshot` is made in the browser, not fetched: see `prepare-python.ts`. */
export type AssetName = "quickjs.wasm" | "node-process.js" | "jq.wasm" | `python/${string}` | "sqlite.wasm";
