// Finds Firefox and WebKit for the tests. Run as a program, it installs missing ones with apt, and fails if one is still missing.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** @typedef {{ readonly driver: "bidi", readonly firefox: string }} OverBidi Debian's Firefox, driven by puppeteer-core */
/** @typedef {{ readonly driver: "webdriver", readonly server: string, readonly browser: string, readonly xvfb: string | null }} OverWebDriver WebKitGTK; `xvfb`: a screen for it, null where there is one */
/** @typedef {{ readonly driver: "playwright" }} Playwrights */
/** @typedef {OverBidi | OverWebDriver | Playwrights} Found */

export const engineNames = /** @type {const} */ (["firefox", "webkit"]);
/** @typedef {(typeof engineNames)[number]} EngineName */

const packages = ["firefox-esr", "webkit2gtk-driver", "xvfb", "xauth", "libgl1-mesa-dri"];

/** @param {string} name */
const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, name))
    .find(existsSync) ?? null;

/** @param {EngineName} name */
function playwrightHas(name) {
  try {
    return existsSync(createRequire(import.meta.url)("playwright")[name].executablePath());
  } catch (error) {
    // Playwright isn't installed yet, or it doesn't know this platform.
    if (process.env.DEBUG) console.error(error);
    return false;
  }
}

/** @returns {Found | null} */
function findFirefox() {
  const firefox = process.platform === "linux" ? onPath("firefox-esr") : null;
  if (firefox !== null) return { driver: "bidi", firefox };
  return playwrightHas("firefox") ? { driver: "playwright" } : null;
}

/** WebKitGTK's own small browser. It is in the folder of the machine's architecture. */
function miniBrowser() {
  if (!existsSync("/usr/lib")) return null;
  return ["", ...readdirSync("/usr/lib")].map((folder) => join("/usr/lib", folder, "webkit2gtk-4.1/MiniBrowser")).find(existsSync) ?? null;
}

/** @returns {Found | null} */
function findWebKit() {
  const [server, browser, xvfb] = [onPath("WebKitWebDriver"), miniBrowser(), onPath("Xvfb")];
  if (process.platform === "linux" && server !== null && browser !== null && (xvfb !== null || process.env.DISPLAY))
    return { driver: "webdriver", server, browser, xvfb };
  return playwrightHas("webkit") ? { driver: "playwright" } : null;
}

/** @param {EngineName} name @returns {Found | null} */
export const findEngine = (name) => (name === "firefox" ? findFirefox() : findWebKit());

export const missingEngines = () => engineNames.filter((name) => findEngine(name) === null);

/** @param {string[]} args */
function aptGet(...args) {
  const isRoot = process.getuid?.() === 0;
  const [command = "", ...rest] = [...(isRoot ? [] : ["sudo", "-n"]), "apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq", ...args];
  console.error(`> ${[command, ...rest].join(" ")}`);
  return spawnSync(command, rest, { stdio: ["ignore", 2, 2], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } }).status === 0;
}

if (process.argv[1] === import.meta.filename) {
  if (missingEngines().length > 0 && onPath("apt-get") !== null) {
    aptGet("update");
    aptGet("install", "-y", "--no-install-recommends", ...packages);
  }
  const missing = missingEngines();
  if (missing.length > 0) {
    console.error(`Missing: ${missing.join(" and ")}. On Debian or Ubuntu: apt-get install ${packages.join(" ")}.`);
    process.exit(1);
  }
}
