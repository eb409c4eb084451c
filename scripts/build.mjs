// Builds dist/ if it is missing or older than its sources.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const sources = ["src", "public", "scripts", "index.html", "vite.config.ts", "package-lock.json"];

/** @param {string} path @returns {number} the time of the newest change under the path, in milliseconds since 1970 */
function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** The file that the build writes last. */
const mark = "dist/sw.js";

export function ensureBuilt() {
  if (existsSync(mark) && statSync(mark).mtimeMs > Math.max(...sources.map(newest))) return;
  build();
}

export function build() {
  const { status } = spawnSync(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"], { stdio: "inherit" });
  if (status !== 0) {
    console.error("The build failed; see above.");
    process.exit(status ?? 1);
  }
}
