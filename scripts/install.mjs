// Installs what package-lock.json names, when node_modules does not hold it yet.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const minimum = { major: 20, minor: 19 };

export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < minimum.major || (major === minimum.major && minor < minimum.minor)) {
    console.error(`Vibey needs Node ${minimum.major}.${minimum.minor} or newer; this is ${process.versions.node}.`);
    process.exit(1);
  }
}

/** npm writes node_modules/.package-lock.json last, so a lock file that says the same means a whole install. */
function installed() {
  if (!existsSync("node_modules/.package-lock.json")) return false;
  const wanted = JSON.parse(readFileSync("package-lock.json", "utf8")).packages;
  const there = JSON.parse(readFileSync("node_modules/.package-lock.json", "utf8")).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || entry.peer || there[path]?.version === entry.version,
  );
}

export function ensureInstalled() {
  checkNode();
  if (installed()) return;
  console.log("Installing what package-lock.json names …");
  const npm = (/** @type {string[]} */ ...args) =>
    spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { stdio: "inherit", shell: process.platform === "win32" })
      .status === 0;
  if (npm("ci")) return;
  // A registry that lacks what only other platforms need makes `ci` refuse; `install` takes the same versions and leaves that out.
  console.error("npm ci failed; trying npm install with the same lock file.");
  if (npm("install", "--no-save")) return;
  console.error("The installation failed; see above. Vibey needs the npm registry once.");
  process.exit(1);
}
