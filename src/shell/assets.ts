/**
 * Files of Vibey itself that the sandbox needs only when a command is first called: the engine fetches them, because the shell's worker reaches no network.
 * `progress` is told how much has come, in bytes; `total` is null when that is not known.
 */
export type LoadAsset = (name: AssetName, progress?: (loaded: number, total: number | null) => void) => Promise<Uint8Array>;

/** What there is. `python/snapshot` is made here, not fetched: see `prepare-python.ts`. */
export type AssetName = "quickjs.wasm" | "node-process.js" | "jq.wasm" | `python/${string}` | "sqlite.wasm";
