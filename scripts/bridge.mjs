// npm run bridge [-- options]: builds bridge/main.ts and runs it. It needs nothing but Node then: .cache/bridge/main.mjs is all of it.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { build } from "vite";
import { ensureInstalled } from "./install.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();
await build({
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  ssr: { noExternal: true },
  build: {
    ssr: "bridge/main.ts",
    outDir: ".cache/bridge",
    emptyOutDir: true,
    target: "node20",
    minify: false,
    rolldownOptions: { output: { entryFileNames: "main.mjs" } },
  },
});
const child = spawn(process.execPath, [".cache/bridge/main.mjs", ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
