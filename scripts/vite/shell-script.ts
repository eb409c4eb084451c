import { builtinModules } from "node:module";
import type { Plugin } from "vite";
import { at, buildOneScript, scriptAsset, writeAsset } from "./script-asset.ts";
import { withoutNode } from "./without-node.ts";

/** The asset is named after this file: see scripts/vite/service-worker.ts. */
const file = at(".cache/shell-script/shell.mjs");

/**
 * The module `virtual:shell-script`: the address of the shell's script for a WebContainer. It runs in the WebContainer, so it isn't part of the
 * program's module graph but an asset that is fetched when needed.
 */
export const shellScript = (): Plugin => scriptAsset("shell-script", file, writeShellScript);

/** Builds one ES module for Node 18 and newer that imports only Node's own modules. */
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
  writeAsset(target, chunk.code);
}
