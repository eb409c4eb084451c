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
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    console.error("npm ci failed; see above. Vibey needs the npm registry once, to install.");
    process.exit(status ?? 1);
  }
}
