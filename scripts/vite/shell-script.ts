import { builtinModules } from "node:module";
import type { Plugin } from "vite";
import { at, buildOneScript, scriptAsset, writeScript } from "./script-asset.ts";
import { withoutNode } from "./without-node.ts";

/** Its name becomes part of the asset's: see scripts/vite/service-worker.ts. */
const file = at(".cache/shell-script/shell.mjs");

/**
 * The module `virtual:shell-script`: where the shell's script for a WebContainer lies. It runs in a computer of its own, so it is no part of the
 * program's module graph: an asset, fetched when it is needed.
 */
export const shellScript = (): Plugin => scriptAsset("shell-script", file, writeShellScript);

/** One ES module for Node 18 and newer, which imports nothing but Node's own modules. */
export async function writeShellScript(target: string): Promise<void> {
  const chunk = await buildOneScript("the shell's script", {
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [withoutNode()],
    build: {
      target: "node18",
      rolldownOptions: {
        input: at("src/shell/webcontainer/script/main.ts"),
        external: [/^node:/, ...builtinModules],
        platform: "node",
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const foreign = chunk.imports.filter((name) => !name.startsWith("node:"));
  if (foreign.length > 0)
    throw new Error(`the shell's script imports ${foreign.join(", ")}; only modules of Node that begin with node: are there`);
  writeScript(target, chunk.code);
}
