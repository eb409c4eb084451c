// npm run screens: takes a picture of every screen and compares it with the picture of an earlier run on this machine, in .cache/screens.
// With --update the new pictures replace the old ones. None is in the repository: fonts, and so pictures, differ between machines.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { ensureChromium } from "./browser.mjs";
import { ensureInstalled } from "./install.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();

const kept = ".cache/screens";
const isUpdate = process.argv.includes("--update") || !existsSync(kept);
const rest = process.argv.slice(2).filter((each) => each !== "--update");
const env = { ...process.env, VIBEY_CHROMIUM: ensureChromium(), VIBEY_SCREENS: isUpdate ? "update" : "compare", VIBEY_LONG: "1" };

/** @param {string} script @param {string[]} args */
const run = (script, args) => spawnSync(process.execPath, [script, ...args], { stdio: "inherit", env }).status ?? 1;

if (process.env.VIBEY_DIST === undefined && run("node_modules/vite/bin/vite.js", ["build", "--logLevel", "warn"]) !== 0) process.exit(1);
// Also removes the pictures of screens that no longer exist.
if (isUpdate && rest.length === 0) rmSync(kept, { recursive: true, force: true });
const status = run("node_modules/@playwright/test/cli.js", [
  "test",
  "e2e/screens.spec.ts",
  `--update-snapshots=${isUpdate ? "changed" : "none"}`,
  ...rest,
]);
console.log(`${existsSync(kept) ? readdirSync(kept).length : 0} pictures in ${kept}`);
process.exit(status);
