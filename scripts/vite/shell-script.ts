import { mkdirSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { withoutNode } from "./without-node.ts";

const id = "virtual:shell-script";
const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** Its name becomes part of the asset's: see scripts/vite/service-worker.ts. */
const file = at(".cache/shell-script/shell.mjs");

/**
 * The module `virtual:shell-script`: where the shell's script for a WebContainer lies. It runs in a computer of its own, so it is no part of the
 * program's module graph: an asset, fetched when it is needed.
 */
export function shellScript(): Plugin {
  let written: Promise<void> | null = null;
  return {
    name: "shell-script",
    async resolveId(source) {
      if (source !== id) return null;
      written ??= writeShellScript(file);
      await written;
      return this.resolve(`${file}?url`);
    },
  };
}

/** One ES module for Node 18 and newer, which imports nothing but Node's own modules. */
export async function writeShellScript(target: string): Promise<void> {
  const code = await bundle();
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutNode()],
    build: {
      write: false,
      target: "node18",
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: at("src/shell/webcontainer/script/main.ts"),
        external: [/^node:/, ...builtinModules],
        platform: "node",
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const outputs = Array.isArray(built) ? built : [built];
  const chunks = outputs.flatMap((output) => ("output" in output ? output.output : []));
  const [chunk] = chunks;
  if (chunk?.type !== "chunk" || chunks.length !== 1) throw new Error("the shell's script did not become one file");
  const foreign = chunk.imports.filter((name) => !name.startsWith("node:"));
  if (foreign.length > 0)
    throw new Error(`the shell's script imports ${foreign.join(", ")}; only modules of Node that begin with node: are there`);
  return chunk.code;
}
