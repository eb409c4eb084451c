// npm run chaos [-- a campaign's name …] [--times N] [--seed N] [--only TEXT]: the figures that show that nothing is lost and nothing forged.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "vite";
import { buildBridge } from "../scripts/bridge-build.mjs";
import { ensureChromium } from "../scripts/browser.mjs";

process.chdir(resolve(import.meta.dirname, ".."));

/**
 * `times`: how often, when nobody says otherwise; 0: its size is fixed.
 * @typedef {{ name: string, times: number, run: (times: number, seed: number) => Promise<boolean> }} Campaign
 */

/** @type {Campaign[]} */
const campaigns = [
  { name: "kills", times: 1_000, run: (times, seed) => script("kills", times, seed) },
  { name: "bridge", times: 1_000, run: bridge },
  { name: "tabs", times: 1_000, run: (times, seed) => script("tabs", times, seed) },
  { name: "damage", times: 1, run: (times, seed) => script("damage", times, seed) },
  { name: "durability", times: 1, run: (times, seed) => script("durability", times, seed) },
  // The number is the length of each text.
  { name: "floods", times: 1_000_000, run: (times, seed) => script("floods", times, seed) },
  { name: "texts", times: 1_000_000, run: texts },
  // All that `npm test` leaves out for its length.
  { name: "journeys", times: 0, run: () => longJourneys() },
  { name: "units", times: 0, run: units },
  { name: "lists", times: 0, run: () => journeys("lists", ["hostile-lists"]) },
  { name: "reload", times: 0, run: () => journeys("reload", ["reload.spec", "many-files", "webcontainer-kills"]) },
  { name: "quota", times: 0, run: () => journeys("quota", ["storage", "quota"]) },
  { name: "profile", times: 0, run: () => journeys("profile", ["profile.spec"]) },
  { name: "leaks", times: 0, run: () => journeys("leaks", ["preview-leaks", "preview-frames"]) },
  { name: "faults", times: 0, run: faults },
  { name: "shown", times: 2_000, run: shown },
  { name: "network", times: 2_000, run: network },
  { name: "export", times: 100, run: exports },
  { name: "isolation", times: 0, run: isolation },
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

/** It needs no build of the app. @param {number} times @param {number} seed */
async function bridge(times, seed) {
  const path = await buildBridge(".cache/chaos-bridge");
  await scripts(["bridge"], ".cache/chaos-of-bridge");
  const env = { VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_BRIDGE: path };
  return (await run(process.execPath, [".cache/chaos-of-bridge/bridge.mjs"], env)) === 0;
}

/** Campaigns for Node. @param {string[]} wanted @param {string} folder */
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

/** The app, unless VIBEY_DIST names one that is built, and the campaigns for Node. */
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

/** About so many laws are tried as often as VIBEY_LAWS says, some of them less often; the count is taken from what they did. */
const lawsOfTheFormat = 18;

/** The laws of the format, each so often that all of them together try `times` texts. */
async function texts(/** @type {number} */ times, /** @type {number} */ seed) {
  const [count, report] = [resolve(".cache/chaos-count"), ".cache/chaos-texts.json"];
  for (const file of [count, report]) rmSync(file, { force: true });
  const started = Date.now();
  const each = Math.ceil(times / lawsOfTheFormat / 5) * 5;
  const env = { VIBEY_LAWS: String(each), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_COUNT: count };
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "chaos/vitest.config.ts", "--reporter=json", `--outputFile=${report}`];
  const code = await run(process.execPath, args, env, true);
  /** @type {{ numPassedTests: number, numFailedTests: number, testResults: { assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }[] }} */
  const found = JSON.parse(readFileSync(report, "utf8"));
  const laws = readFileSync(count, "utf8").split("\n").filter(Boolean).map(Number);
  const tried = laws.reduce((sum, runs) => sum + runs, 0);
  const held = code === 0 && found.numPassedTests > 0 && tried >= times;
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  say(
    held,
    "texts",
    `${tried.toLocaleString("en")} texts on ${laws.length} laws, ${found.numFailedTests} tests failed, ${minutes} minutes (seed ${seed})`,
  );
  for (const { status, fullName, failureMessages } of found.testResults.flatMap(({ assertionResults }) => assertionResults))
    if (status === "failed") console.log(`          ${fullName}: ${failureMessages.join("\n").slice(0, 1_000)}`);
  return held;
}

/** Every fault of a provider in every moment, and of storage, network, commands and tabs at every point, on every wire. */
async function faults() {
  const count = resolve(".cache/chaos-faults");
  mkdirSync(".cache", { recursive: true });
  rmSync(count, { force: true });
  const files = ["faults", "points", "tab-points"].map((name) => `tests/cases/${name}.test.ts`);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", ...files];
  const code = await run(process.execPath, args, { VIBEY_CHAOS: "1", VIBEY_CHAOS_COUNT: count });
  const came = existsSync(count) ? readFileSync(count, "utf8").split("\n").filter(Boolean).length : 0;
  const held = code === 0 && came > 0;
  say(held, "faults", `${came.toLocaleString("en")} faults came`);
  return held;
}

/** What a person approves is what they see: random hostile commands, diffs and names, measured on the screen and read as marks. */
async function shown(/** @type {number} */ times, /** @type {number} */ seed) {
  const report = ".cache/chaos-shown.json";
  const files = [
    "tests/app/calls/exact.chromium.test.tsx",
    "tests/app/calls/cell.test.ts",
    "tests/app/calls/visible.test.ts",
    "tests/shell/parts.test.ts",
  ];
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", `--outputFile=${report}`, ...files];
  rmSync(report, { force: true });
  const code = await run(process.execPath, args, { VITE_SHOWN: String(times), VITE_SHOWN_SEED: String(seed) }, true);
  /** @type {{ numPassedTests: number, numFailedTests: number }} */
  const found = JSON.parse(readFileSync(report, "utf8"));
  const held = code === 0 && found.numPassedTests > 0;
  say(
    held,
    "shown",
    `${times.toLocaleString("en")} random texts for each law, ${found.numPassedTests} tests held, ${found.numFailedTests} did not (seed ${seed})`,
  );
  return held;
}

/** Random requests of commands and answers of a person: what arrives at real servers on this machine, a line allows. */
async function network(/** @type {number} */ times, /** @type {number} */ seed) {
  const count = resolve(".cache/chaos-network");
  mkdirSync(".cache", { recursive: true });
  rmSync(count, { force: true });
  const env = { VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed), VIBEY_CHAOS_COUNT: count };
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=dot", "tests/engine/network/outgoing.test.ts"];
  const code = await run(process.execPath, args, env);
  if (!existsSync(count)) {
    say(false, "network", `no figures were written (seed ${seed})`);
    return false;
  }
  const { requests, arrived, asked, stale } = JSON.parse(readFileSync(count, "utf8"));
  const held = code === 0 && arrived > 0;
  const figures = `${requests} requests of ${times} commands, ${arrived} arrived, ${asked} questions, ${stale} stale answers (seed ${seed})`;
  say(held, "network", figures);
  return held;
}

/** Every way in which a file can start a program outside the browser, and mixes of them, unzipped and used with git. */
async function exports(/** @type {number} */ times, /** @type {number} */ seed) {
  const count = resolve(".cache/chaos-export");
  mkdirSync(".cache", { recursive: true });
  rmSync(count, { force: true });
  const args = [
    "node_modules/vitest/vitest.mjs",
    "run",

    "--reporter=dot",
    "tests/engine/project/outgoing/campaign.test.ts",
  ];
  const env = { VIBEY_CHAOS: "1", VIBEY_CHAOS_COUNT: count, VIBEY_CHAOS_TIMES: String(times), VIBEY_CHAOS_SEED: String(seed) };
  const code = await run(process.execPath, args, env);
  const zips = existsSync(count) ? readFileSync(count, "utf8").split("\n").filter(Boolean).map(Number) : [];
  const commands = zips.reduce((sum, each) => sum + each, 0);
  const held = code === 0 && zips.length > 2 * times;
  say(held, "export", `${zips.length} zips, ${commands.toLocaleString("en")} commands of git in them (seed ${seed})`);
  return held;
}

/** Everything that one dialog's command may leave behind, looked for from another; and every known way from a program to code made of text. */
async function isolation() {
  const report = ".cache/chaos-isolation.json";
  rmSync(report, { force: true });
  const files = ["isolation", "shared-files", "policy"].map((name) => `tests/shell/${name}.test.ts`);
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", `--outputFile=${report}`, ...files];
  const code = await run(process.execPath, args, { VIBEY_CHAOS: "1" }, true);
  /** @type {{ numPassedTests: number, numFailedTests: number }} */
  const found = JSON.parse(readFileSync(report, "utf8"));
  const held = code === 0 && found.numPassedTests > 0;
  say(held, "isolation", `${found.numPassedTests} tables held, ${found.numFailedTests} did not`);
  return held;
}

/** As they are, with several at a time: what is a campaign among them runs whole under its own name. */
/** Tests that look a second time at what others look at once. */
async function units() {
  const started = Date.now();
  const withMore = ["node/against-node.chromium", "transcripts/transcripts", "npm/packages", "git/lines"];
  const files = [".long.", ...withMore.map((name) => `tests/shell/${name}.test.ts`)];
  const code = await run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files], { VIBEY_LONG: "1", VITE_ALL_CASES: "1" });
  say(code === 0, "units", `${Math.round((Date.now() - started) / 1000)} s`);
  return code === 0;
}

const longJourneys = () => journeys("journeys", [], ["--grep", "@long"], { VIBEY_LONG: "1" });

/**
 * Journeys in the browser.
 * @param {string} name @param {string[]} files @param {string[]} [chosen]
 * @param {Record<string, string>} [mode] whole campaigns, one journey at a time, or the journeys that `npm test` leaves out
 */
async function journeys(name, files, chosen = ["--workers=1"], mode = { VIBEY_CHAOS: "1" }) {
  const there = files.filter((file) => existsSync(`e2e/${file.replace(/\.spec$/, "")}.spec.ts`));
  if (there.length === 0 && files.length > 0) {
    say(false, name, `there is no e2e/${files.join(", ")}.spec.ts`);
    return false;
  }
  await built();
  const port = String(4_338 + campaigns.findIndex((each) => each.name === name));
  const env = { ...mode, VIBEY_CHROMIUM: ensureChromium(), VIBEY_E2E_PORT: process.env.VIBEY_E2E_PORT ?? port };
  const report = `.cache/e2e${env.VIBEY_E2E_PORT}.json`;
  rmSync(report, { force: true });
  const code = await run(process.execPath, ["node_modules/@playwright/test/cli.js", "test", ...there, ...chosen], env);
  const { stats } = JSON.parse(readFileSync(report, "utf8"));
  const held = code === 0 && stats.expected > 0 && stats.flaky === 0;
  say(held, name, `${stats.expected} journeys held, ${stats.unexpected + stats.flaky} did not`);
  return held;
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
