// Finds a Chromium for the tests, and installs one if there is none. The headless shell is the same engine without a desktop's windows, menus
// and extensions; a journey takes a third of the time in it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, delimiter, join } from "node:path";

/** Root (containers, CI) needs --no-sandbox. The others keep Chromium from calling home, which a closed network would refuse. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // As on a desktop: a frame of another origin, such as the preview's, gets its own process. The headless shell doesn't do this by default.
  "--site-per-process",
];

const namesOnPath =
  process.platform === "win32"
    ? ["chrome.exe", "msedge.exe"]
    : ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge-stable"];
const shellsOnPath = process.platform === "win32" ? ["chrome-headless-shell.exe"] : ["chromium-headless-shell", "chrome-headless-shell"];
const usualPlaces = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
  "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
];

/** The path of Playwright's Chromium, installed or not. Null if Playwright has none. */
function playwrightsPlace() {
  try {
    return String(createRequire(import.meta.url)("playwright").chromium.executablePath());
  } catch (error) {
    // Playwright isn't installed, or it doesn't know this platform.
    if (process.env.DEBUG) console.error(error);
    return null;
  }
}

function playwrightsOwn() {
  const path = playwrightsPlace();
  return path !== null && existsSync(path) ? path : null;
}

/** Playwright installs its headless shell in a folder next to its Chromium. */
function playwrightsShell() {
  const [, folders, revision] = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(playwrightsPlace() ?? "") ?? [];
  const folder = folders === undefined ? null : join(folders, `chromium_headless_shell-${revision}`);
  if (folder === null || !existsSync(folder)) return null;
  const files = readdirSync(folder, { recursive: true }).map(String);
  const found = files.find((file) => /^(chrome-headless-shell|headless_shell)(\.exe)?$/.test(basename(file)));
  return found === undefined ? null : join(folder, found);
}

/** @param {readonly string[]} names */
const onPath = (names) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(existsSync) ?? null;

function named() {
  const path = process.env.VIBEY_CHROMIUM ?? process.env.CHROME_PATH;
  if (path && !existsSync(path)) throw new Error(`VIBEY_CHROMIUM or CHROME_PATH names ${path}, and there is no such file`);
  return path || null;
}

/** @returns {string | null} the path of a Chromium: VIBEY_CHROMIUM, Playwright's, one on the PATH, or one in a usual place */
const findChromium = () => named() ?? playwrightsOwn() ?? onPath(namesOnPath) ?? usualPlaces.find(existsSync) ?? null;

/** @returns {string | null} the path of a headless shell: Playwright's, or one on the PATH */
const findShell = () => playwrightsShell() ?? onPath(shellsOnPath);

/** @returns {string | null} the path of the tests' browser: VIBEY_CHROMIUM, else a headless shell, else a Chromium */
export const findTestBrowser = () => named() ?? findShell() ?? findChromium();

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

/** @param {string[]} packages */
function aptInstall(...packages) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  const wait = ["-o", "DPkg::Lock::Timeout=300"];
  run("apt-get", [...wait, "update", "-qq"]);
  run("apt-get", [...wait, "install", "-y", "-qq", "--no-install-recommends", ...packages], { DEBIAN_FRONTEND: "noninteractive" });
}

/** @returns {string} the path of a Chromium, installed if there was none; throws with advice if the installation failed */
export function ensureChromium() {
  if (!findChromium()) run("npx", ["playwright", "install", "chromium"]);
  if (!findChromium()) aptInstall("chromium", "fonts-dejavu-core");
  const found = findChromium();
  if (!found)
    throw new Error("No Chromium found and none could be installed. Install Chrome or Chromium, or set VIBEY_CHROMIUM to its path.");
  return found;
}

/** @returns {string} the path of the tests' browser. If no headless shell can be installed, this is a Chromium, and the tests take longer. */
export function ensureTestBrowser() {
  // Try the system's package first: Playwright's has to be downloaded, and a closed network refuses that only after a while.
  if (!named() && !findShell()) aptInstall("chromium-headless-shell", "fonts-dejavu-core");
  if (!named() && !findShell()) run("npx", ["playwright", "install", "--only-shell", "chromium"]);
  return findTestBrowser() ?? ensureChromium();
}
