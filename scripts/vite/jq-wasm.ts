import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Plugin } from "vite";
import { at, writeAsset } from "./script-asset.ts";

const id = "virtual:jq.wasm";
/** The asset is named after this file. */
const file = at(".cache/jq/jq.wasm");

/** jq as WebAssembly. The package embeds it as base64 in a script; we use only that part. */
export async function readJq(): Promise<Uint8Array> {
  const script = await readFile(createRequire(import.meta.url).resolve("jq-wasm/dist/build/jq.js"), "utf8");
  const [, base64] = /"data:application\/octet-stream;base64,([A-Za-z0-9+/=]+)"/.exec(script) ?? [];
  if (base64 === undefined) throw new Error("jq-wasm has its WebAssembly elsewhere: was it updated?");
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** The module `virtual:jq.wasm`: the address of jq as a separate file. */
export function jqWasm(): Plugin {
  let written: Promise<void> | null = null;
  const write = async (): Promise<void> => writeAsset(file, await readJq());
  return {
    name: "jq-wasm",
    async resolveId(source) {
      if (source !== id) return null;
      written ??= write();
      await written;
      return this.resolve(`${file}?url`);
    },
  };
}
