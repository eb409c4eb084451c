import { resolve } from "node:path";
import { build } from "vite";

/** Builds bridge/main.ts into one file that needs nothing but Node, and returns its path. @param {string} folder @returns {Promise<string>} */
export async function buildBridge(folder) {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: "bridge/main.ts",
      outDir: folder,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "main.mjs" } },
    },
  });
  return resolve(folder, "main.mjs");
}
