import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig, type Plugin } from "vite";

/** The absolute path of a file in the repository. */
export const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * The module `virtual:<name>`: the address of a script that runs elsewhere and so isn't in the program's module graph. `write` writes the script
 * to `file`; the asset is named after it.
 */
export function scriptAsset(name: string, file: string, write: (target: string) => Promise<void>): Plugin {
  let written: Promise<void> | null = null;
  return {
    name,
    async resolveId(source) {
      if (source !== `virtual:${name}`) return null;
      written ??= write(file);
      await written;
      return this.resolve(`${file}?url`);
    },
  };
}

/** Replaces the file at once: a build may run beside the tests, which read it. */
export function writeAsset(target: string, data: string | Uint8Array): void {
  mkdirSync(dirname(target), { recursive: true });
  const part = `${target}.${process.pid}`;
  writeFileSync(part, data);
  renameSync(part, target);
}

/** Builds one script. Throws if the build makes more than one file. `what` names the script in the error. */
export async function buildOneScript(what: string, config: InlineConfig) {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    ...config,
    build: { write: false, minify: true, modulePreload: false, ...config.build },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap((output) => ("output" in output ? output.output : []));
  const [chunk] = chunks;
  if (chunk?.type !== "chunk" || chunks.length !== 1) throw new Error(`${what} did not become one file`);
  return chunk;
}
