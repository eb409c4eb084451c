// npm run bridge [-- options]: builds bridge/main.ts into .cache/bridge/main.mjs and runs it. That one file needs nothing but Node.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { ensureInstalled } from "./install.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();
// This import needs Vite, so it comes after the installation.
const { buildBridge } = await import("./bridge-build.mjs");
const script = await buildBridge(".cache/bridge");
const child = spawn(process.execPath, [script, ...process.argv.slice(2)], { stdio: "inherit" });
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
