// npm run screens: takes a picture of every screen and compares it with the one in e2e/screens/kept; with --update the pictures become the kept ones.
// Fonts differ between machines, and pictures with them: keep and compare on one machine.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { ensureChromium } from "./browser.mjs";
import { ensureInstalled } from "./install.mjs";
import { withFewerColours } from "./palette.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();

const kept = "e2e/screens/kept";
/** Bytes of all kept pictures together, at most. */
const most = 5_000_000;

/** Colours of a picture, at most: what stands beside a letter's edge is near enough to one of them. */
const colours = 40;

const isUpdate = process.argv.includes("--update");
const rest = process.argv.slice(2).filter((each) => each !== "--update");
const env = { ...process.env, VIBEY_CHROMIUM: ensureChromium(), VIBEY_SCREENS: isUpdate ? "update" : "compare" };

/** @param {string} script @param {string[]} args */
const run = (script, args) => spawnSync(process.execPath, [script, ...args], { stdio: "inherit", env }).status ?? 1;

if (process.env.VIBEY_DIST === undefined && run("node_modules/vite/bin/vite.js", ["build", "--logLevel", "warn"]) !== 0) process.exit(1);
// A screen that is no more leaves no picture behind.
if (isUpdate && rest.length === 0) rmSync(kept, { recursive: true, force: true });
const status = run("node_modules/@playwright/test/cli.js", [
  "test",
  "e2e/screens.spec.ts",
  `--update-snapshots=${isUpdate ? "changed" : "none"}`,
  ...rest,
]);
mkdirSync(kept, { recursive: true });
const pictures = readdirSync(kept);
if (isUpdate)
  for (const name of pictures) {
    const path = join(kept, name);
    const bytes = readFileSync(path);
    const fewer = withFewerColours(bytes, colours);
    if (fewer.length < bytes.length) writeFileSync(path, fewer);
  }
const bytes = pictures.reduce((sum, name) => sum + statSync(join(kept, name)).size, 0);
console.log(`${pictures.length} pictures, ${(bytes / 1_000_000).toFixed(1)} MB`);
if (bytes > most) console.error(`More than ${most / 1_000_000} MB: too much for the repository.`);
process.exit(bytes > most ? 1 : status);
