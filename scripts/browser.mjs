// Finds a Chromium for the tests, and installs one when there is none.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** Root (containers, CI) needs --no-sandbox; the others keep Chromium from calling home, which a closed network would refuse. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const namesOnPath =
  process.platform === "win32"
    ? ["chrome.exe", "msedge.exe"]
    : ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge-stable"];
const usualPlaces = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
  "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
];

function playwrightsOwn() {
  try {
    const path = createRequire(import.meta.url)("playwright").chromium.executablePath();
    return existsSync(path) ? path : null;
  } catch (error) {
    // Without node_modules, or on a platform that Playwright does not know, there is none of its own.
    if (process.env.DEBUG) console.error(error);
    return null;
  }
}

/** @returns {string | null} the path of a Chromium: VIBEY_CHROMIUM, Playwright's own, one on the PATH, or one in its usual place */
export function findChromium() {
  const named = process.env.VIBEY_CHROMIUM ?? process.env.CHROME_PATH;
  if (named) {
    if (!existsSync(named)) throw new Error(`VIBEY_CHROMIUM or CHROME_PATH names ${named}, and there is no such file`);
    return named;
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const onPath = folders.flatMap((folder) => namesOnPath.map((name) => join(folder, name))).find(existsSync);
  return playwrightsOwn() ?? onPath ?? usualPlaces.find(existsSync) ?? null;
}

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] */
function run(command, args, env = {}) {
  console.error(`> ${command} ${args.join(" ")}`);
  const { status } = spawnSync(command, args, {
    stdio: ["ignore", 2, 2],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  return status === 0;
}

/** @returns {string} the path of a Chromium, installed when there was none; throws with advice when that failed */
export function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  run("npx", ["playwright", "install", "chromium"]);
  let installed = findChromium();
  if (!installed && process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    const wait = ["-o", "DPkg::Lock::Timeout=300"];
    run("apt-get", [...wait, "update", "-qq"]);
    run("apt-get", [...wait, "install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"], {
      DEBIAN_FRONTEND: "noninteractive",
    });
    installed = findChromium();
  }
  if (!installed)
    throw new Error("No Chromium found and none could be installed. Install Chrome or Chromium, or set VIBEY_CHROMIUM to its path.");
  return installed;
}
