// Installs the packages of package-lock.json if node_modules doesn't hold them yet.
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

/** npm writes node_modules/.package-lock.json last. If it matches the lock file, the installation is complete. */
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
  // `npm ci` fails if the registry lacks a package that only other platforms need. `npm install` leaves it out and takes the same versions.
  console.error("npm ci failed; trying npm install with the same lock file.");
  if (npm("install", "--no-save")) return;
  console.error("The installation failed; see above. Vibey needs the npm registry once.");
  process.exit(1);
}
