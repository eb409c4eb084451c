// npm run chaos [-- a campaign's name …] [--times N] [--seed N] [--only TEXT]: the figures that show that nothing is lost and nothing forged.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import { buildBridge } from "../scripts/bridge-build.mjs";
import { ensureChromium } from "../scripts/browser.mjs";
import { journeyFiles, unitFiles } from "./files.mjs";
import { journeyOutcome, unitOutcome } from "./outcome.mjs";

process.chdir(resolve(import.meta.dirname, ".."));

/**
 * `times`: the default number of repetitions; 0 if the campaign's size is fixed.
 * @typedef {{ name: string, times: number, run: (times: number, seed: number) => Promise<boolean> }} Campaign
 */

/** @type {Campaign[]} */
const campaigns = [
  { name: "kills", times: 1_000, run: (times, seed) => script("kills", times, seed) },
  { name: "bridge", times: 1_000, run: bridge },
  { name: "tabs", times: 1_000, run: (times, seed) => script("tabs", times, seed) },
  { name: "damage", times: 1, run: (times, seed) => script("damage", times, seed) },
  { name: "durability", times: 1, run: (times, seed) => script("durability", times, seed) },
  // For floods, the number is the length of each text.
  { name: "floods", times: 1_000_000, run: (times, seed) => script("floods", times, seed) },
  { name: "texts", times: 1_000_000, run: texts },
  // Everything that `npm test` leaves out because it takes long.
  { name: "journeys", times: 0, run: () => longJourneys() },
  { name: "units", times: 0, run: units },
  { name: "lists", times: 0, run: () => journeys("lists") },
  { name: "reload", times: 0, run: () => journeys("reload") },
  { name: "quota", times: 0, run: () => journeys("quota") },
  { name: "profile", times: 0, run: () => journeys("profile") },
  { name: "leaks", times: 0, run: () => journeys("leaks") },
  { name: "faults", times: 0, run: faults },
  { name: "shown", times: 2_000, run: shown },
  { name: "network", times: 2_000, run: network },
  { name: "export", times: 100, run: exports },
  { name: "isolation", times: 0, run: isolation },
  { name: "engines", times: 0, run: () => journeys("engines") },
  { name: "recovery", times: 0, run: recovery },
  // The promises about authority, keys and the network, tested on a host that sends no headers. `leaks` tests both kinds of host itself.
  { name: "bare", times: 0, run: () => journeys("bare", { VIBEY_HEADERS: "none" }) },
];
const names = campaigns.map(({ name }) => name).join(", ");

/** @param {string} why @returns {never} */
function refuse(why) {
  console.error(
    `${why}\nnpm run chaos -- [${names}] [--times N] [--seed N] [--only TEXT]\nonly: cases of \`damage\` whose title holds this`,
  );
  process.exit(2);
}

/** @param {string} name @param {string | undefined} given @returns {number | null} */
function wholeNumber(name, given) {
  if (given === undefined) return null;
  const number = Number(given);
  return Number.isSafeInteger(number) && number > 0 ? number : refuse(`--${name}: expected a whole number from 1 on, got ${given}`);
}

/** @returns {{ values: { times?: string, seed?: string, only?: string }, positionals: string[] }} */
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { times: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
    });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} command @param {string[]} args @param {Record<string, string>} [env] @param {boolean} [quiet] @returns {Promise<number>} the exit code */
function run(command, args, env = {}, quiet = false) {
  return new Promise((settle, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", quiet ? "ignore" : "inherit", "inherit"], env: { ...process.env, ...env } });
    child.once("error", reject);
    child.once("exit", (code) => settle(code ?? 1));
  });
}

/** @param {string} name @param {number} times @param {number} seed */
async function script(name, times, seed) {
  await built();
  const env = { VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_ONLY: values.only ?? "" };
  return (await run(process.execPath, [`.cache/chaos/${name}.mjs`], env)) === 0;
}

/** Needs no build of the app. @param {number} times @param {number} seed */
async function bridge(times, seed) {
  const path = await buildBridge(".cache/chaos-bridge");
  await scripts(["bridge"], ".cache/chaos-of-bridge");
  const env = { VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_BRIDGE: path };
  return (await run(process.execPath, [".cache/chaos-of-bridge/bridge.mjs"], env)) === 0;
}

/** Builds campaigns for Node. @param {string[]} wanted @param {string} folder */
function scripts(wanted, folder) {
  return build({
    configFile: false,
    publicDir: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: "node20",
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(wanted.map((name) => [name, `chaos/${name}.chaos.ts`])),
        output: { entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
      },
    },
  });
}

/** @type {Promise<unknown> | null} */
let building = null;

/** Builds the app, unless VIBEY_DIST names a build, and the campaigns for Node. */
function built() {
  building ??= (async () => {
    if (
      process.env.VIBEY_DIST === undefined &&
      (await run(process.execPath, ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"])) !== 0
    )
      throw new Error("the app could not be built");
    await scripts(["kills", "tabs", "damage", "durability", "floods"], ".cache/chaos");
  })();
  return building;
}

/** The approximate number of laws that run VIBEY_LAWS times; some run less often. The reported count is what they actually tried. */
const lawsOfTheFormat = 18;

/** Tries the laws of the format on `times` texts, all laws together. */
async function texts(/** @type {number} */ times, /** @type {number} */ seed) {
  const count = fresh("texts");
  const each = Math.ceil(times / lawsOfTheFormat / 5) * 5;
  const env = { VIBEY_LAWS: String(each), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_COUNT: count };
  const { held, failed, broken, took } = await unitTests("texts", [], env, ["--config", "chaos/vitest.config.ts"]);
  const laws = numbersIn(count);
  const tried = sum(laws);
  if (tried < times) broken.push(`${tried} texts were tried, ${times} were wanted`);
  const figures = `${tried.toLocaleString("en")} texts on ${laws.length} laws, ${held} tests held, ${failed} did not, ${took} (seed ${seed})`;
  return verdict("texts", figures, broken);
}

/** Tries every provider fault at every moment, and every fault of storage, network, commands and tabs at every point, on every wire. */
async function faults() {
  const count = fresh("faults");
  const { held, failed, broken, took } = await unitTests("faults", unitFiles.faults, { VIBEY_CHAOS: "1", VIBEY_CHAOS_COUNT: count });
  const came = numbersIn(count).length;
  if (came === 0) broken.push("no fault came");
  return verdict("faults", `${came.toLocaleString("en")} faults came, ${held} tests held, ${failed} did not, ${took}`, broken);
}

/** What a person approves is what they see: random hostile commands, diffs and names, measured on the screen and read as marks. */
async function shown(/** @type {number} */ times, /** @type {number} */ seed) {
  const env = { VITE_SHOWN: String(times), VITE_SHOWN_SEED: String(seed) };
  const { held, failed, broken, tried, took } = await unitTests("shown", unitFiles.shown, env);
  if (tried.length === 0) broken.push("no law was tried");
  for (const runs of tried) if (runs < times) broken.push(`a law was tried ${runs} times, ${times} were wanted`);
  const figures = `${sum(tried).toLocaleString("en")} random texts on ${tried.length} laws, ${held} tests held, ${failed} did not, ${took} (seed ${seed})`;
  return verdict("shown", figures, broken);
}

/**
 * Random network requests of commands and random answers of a person: every request that reaches a real server on this machine has a line
 * that allows it.
 */
async function network(/** @type {number} */ times, /** @type {number} */ seed) {
  const count = fresh("network");
  const env = { VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_COUNT: count };
  const { broken, took } = await unitTests("network", unitFiles.network, env);
  if (!existsSync(count))
    return verdict("network", `no figures were written, ${took} (seed ${seed})`, [...broken, "no figures were written"]);
  const { commands, requests, arrived, asked, stale } = JSON.parse(readFileSync(count, "utf8"));
  if (commands < times) broken.push(`${commands} commands ran, ${times} were wanted`);
  if (arrived === 0) broken.push("nothing arrived");
  const figures = `${requests} requests of ${commands} commands, ${arrived} arrived, ${asked} questions, ${stale} stale answers, ${took} (seed ${seed})`;
  return verdict("network", figures, broken);
}

/** Every way in which a file can start a program outside the browser, and mixes of them, unzipped and used with git. */
async function exports(/** @type {number} */ times, /** @type {number} */ seed) {
  const count = fresh("export");
  const env = { VIBEY_CHAOS: "1", VIBEY_CHAOS_COUNT: count, VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed) };
  const { held, broken, took } = await unitTests("export", unitFiles.export, env);
  const zips = numbersIn(count);
  // Each mix is exported in both forms, and so is each single way.
  if (zips.length < 2 * times + 2 * (held - 2)) broken.push(`${zips.length} zips were looked at`);
  const figures = `${zips.length} zips, ${sum(zips).toLocaleString("en")} commands of git in them, ${times} mixes, ${took} (seed ${seed})`;
  return verdict("export", figures, broken);
}

/**
 * Looks from one dialog for everything that another dialog's command may leave behind, and tries every known way for a program to run text
 * as code.
 */
async function isolation() {
  const { held, failed, broken, took } = await unitTests("isolation", unitFiles.isolation, { VIBEY_CHAOS: "1" });
  const isThere = verdict("isolation", `${held} tables in Node held, ${failed} did not, ${took}`, broken);
  return (await journeys("isolation")) && isThere;
}

/** Random damage to stored projects and backups, in Node. */
async function recovery() {
  const { held, failed, broken, took } = await unitTests("recovery", unitFiles.recovery, { VIBEY_CHAOS: "1" });
  return verdict("recovery", `${held} tests held, ${failed} did not, ${took}`, broken);
}

/** Tests that repeat what other tests already cover. */
async function units() {
  const { held, failed, broken, took } = await unitTests("units", unitFiles.units, { VIBEY_LONG: "1", VITE_ALL_CASES: "1" });
  return verdict("units", `${held} tests held, ${failed} did not, ${took}`, broken);
}

/** An empty file in which a campaign's tests write their counts. @param {string} name */
function fresh(name) {
  mkdirSync(".cache", { recursive: true });
  const file = resolve(`.cache/chaos-count-${name}`);
  rmSync(file, { force: true });
  return file;
}

/** @param {string} file one number a line */
const numbersIn = (file) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number) : []);

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** @param {number} since */
const minutes = (since) => `${((Date.now() - since) / 60_000).toFixed(1)} minutes`;

/** @param {string} name @param {readonly string[]} files all of these have to run @param {Record<string, string>} env @param {string[]} [more] */
async function unitTests(name, files, env, more = []) {
  const report = `.cache/chaos-${name}.json`;
  rmSync(report, { force: true });
  const started = Date.now();
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", `--outputFile=${report}`, ...more, ...files];
  const code = await run(process.execPath, args, env, true);
  /** @type {import("./outcome.mjs").Outcome} */
  const outcome = existsSync(report)
    ? unitOutcome(JSON.parse(readFileSync(report, "utf8")), files)
    : { held: 0, failed: 0, tried: [], broken: ["the tests wrote no report"] };
  if (code !== 0 && outcome.broken.length === 0) outcome.broken.push(`the tests ended with ${code}`);
  return { ...outcome, took: minutes(started) };
}

/**
 * Runs journeys in the browser one at a time, including whole campaigns.
 * @param {keyof typeof journeyFiles} name
 * @param {Record<string, string>} [mode]
 */
const journeys = (name, mode = {}) =>
  playwright(name, journeyFiles[name], ["--workers=1", ...journeyFiles[name].map((file) => `e2e/${file}`)], { VIBEY_CHAOS: "1", ...mode });

/** Runs all long journeys as they are, several at a time. Campaigns among them run in full only under their own names. */
const longJourneys = () => playwright("journeys", [], ["--grep", "@long"], { VIBEY_LONG: "1" });

/** @param {string} name @param {readonly string[]} files all of these have to run @param {string[]} args @param {Record<string, string>} mode */
async function playwright(name, files, args, mode) {
  await built();
  const port = String(4_338 + campaigns.findIndex((each) => each.name === name));
  const env = { ...mode, VIBEY_CHROMIUM: ensureChromium(), VIBEY_E2E_PORT: process.env.VIBEY_E2E_PORT ?? port };
  const report = `.cache/e2e${env.VIBEY_E2E_PORT}.json`;
  rmSync(report, { force: true });
  const started = Date.now();
  const code = await run(process.execPath, ["node_modules/@playwright/test/cli.js", "test", ...args], env);
  const { held, failed, broken } = existsSync(report)
    ? journeyOutcome(JSON.parse(readFileSync(report, "utf8")), files)
    : { held: 0, failed: 0, broken: ["the journeys wrote no report"] };
  if (code !== 0 && broken.length === 0) broken.push(`the journeys ended with ${code}`);
  return verdict(name, `${held} journeys held, ${failed} did not, ${minutes(started)}`, broken);
}

/** @param {string} name @param {string} figures @param {readonly string[]} broken */
function verdict(name, figures, broken) {
  say(broken.length === 0, name, figures);
  for (const each of broken.slice(0, 20)) console.log(`          ${each}`);
  if (broken.length > 20) console.log(`          and ${broken.length - 20} more`);
  return broken.length === 0;
}

/** @param {boolean} held @param {string} name @param {string} figures */
function say(held, name, figures) {
  console.log(`  ${held ? "held  " : "BROKEN"}  ${name}: ${figures}`);
}

const { values, positionals } = readArguments();
const times = wholeNumber("times", values.times);
const seed = wholeNumber("seed", values.seed) ?? 1 + Math.floor(Math.random() * 2 ** 31);
const unknown = positionals.filter((name) => !campaigns.some((campaign) => campaign.name === name));
if (unknown.length > 0) refuse(`There is no campaign ${unknown.join(", ")}.`);
const chosen = campaigns.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

let held = 0;
for (const campaign of chosen) {
  console.log(`\n── ${campaign.name}`);
  try {
    if (await campaign.run(times ?? campaign.times, seed)) held += 1;
  } catch (error) {
    say(false, campaign.name, error instanceof Error ? error.message : String(error));
  }
}
console.log(`\n${held} held, ${chosen.length - held} broken`);
process.exit(held === chosen.length ? 0 : 1);
