// Finds a Chromium for the tests, and installs one when there is none. The headless shell is the same engine without the windows, menus
// and extensions of a desktop; a journey costs a third in it.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, delimiter, join } from "node:path";

/** Root (containers, CI) needs --no-sandbox; the others keep Chromium from calling home, which a closed network would refuse. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // As on a desktop: a frame of another origin, the preview's among them, has a process of its own. The shell alone does not do it.
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

/** Where Playwright keeps its Chromium, whether it is there or not. */
function playwrightsPlace() {
  try {
    return String(createRequire(import.meta.url)("playwright").chromium.executablePath());
  } catch (error) {
    // Without node_modules, or on a platform that Playwright does not know, there is none of its own.
    if (process.env.DEBUG) console.error(error);
    return null;
  }
}

function playwrightsOwn() {
  const path = playwrightsPlace();
  return path !== null && existsSync(path) ? path : null;
}

/** Playwright puts its shell into a folder beside the one of its Chromium. */
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

/** @returns {string | null} the path of a Chromium: VIBEY_CHROMIUM, Playwright's own, one on the PATH, or one in its usual place */
const findChromium = () => named() ?? playwrightsOwn() ?? onPath(namesOnPath) ?? usualPlaces.find(existsSync) ?? null;

/** @returns {string | null} the path of a headless shell: Playwright's own, or one on the PATH */
const findShell = () => playwrightsShell() ?? onPath(shellsOnPath);

/** @returns {string | null} the path of what the tests run in: VIBEY_CHROMIUM, a headless shell, or else a Chromium */
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

/** @returns {string} the path of a Chromium, installed when there was none; throws with advice when that failed */
export function ensureChromium() {
  if (!findChromium()) run("npx", ["playwright", "install", "chromium"]);
  if (!findChromium()) aptInstall("chromium", "fonts-dejavu-core");
  const found = findChromium();
  if (!found)
    throw new Error("No Chromium found and none could be installed. Install Chrome or Chromium, or set VIBEY_CHROMIUM to its path.");
  return found;
}

/** @returns {string} the path of what the tests run in. Where no shell is to be had, it is a Chromium, and they take longer. */
export function ensureTestBrowser() {
  // The system's own first: Playwright's has to be downloaded, which a closed network refuses only after a while.
  if (!named() && !findShell()) aptInstall("chromium-headless-shell", "fonts-dejavu-core");
  if (!named() && !findShell()) run("npx", ["playwright", "install", "--only-shell", "chromium"]);
  return findTestBrowser() ?? ensureChromium();
}
