// npm test: everything, in rings; ends with one line that sums them up.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { checks } from "./checks.mjs";
import { ensureInstalled } from "./install.mjs";

process.chdir(resolve(import.meta.dirname, ".."));
ensureInstalled();
mkdirSync(".cache", { recursive: true });

const { ensureChromium, ensureTestBrowser } = await import("./browser.mjs");
const { missingEngines } = await import("./engines.mjs");
if (process.env.CI && missingEngines().length > 0) {
  console.error(`Missing: ${missingEngines().join(" and ")}. npm run engines installs them.`);
  console.log("\n0 passed, 1 failed");
  process.exit(1);
}
// A few journeys are about what only the whole browser has.
const [browser, whole] = [ensureTestBrowser(), ensureChromium()];
console.log(`The tests run in ${browser}${browser === whole ? "" : `, a few journeys in ${whole}`}.`);

let passed = 0;
let failed = 0;
/** What could not run on this machine. @type {string[]} */
const skipped = [];

/** @param {string} title @param {string} script @param {readonly string[]} args */
function run(title, script, args) {
  console.log(`\n── ${title}`);
  const started = Date.now();
  const { status } = spawnSync(process.execPath, [script, ...args], { stdio: "inherit" });
  console.log(`── ${title}: ${status === 0 ? "ok" : "failed"}, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  return status === 0;
}

/** @param {string} title @param {string} script @param {readonly string[]} args */
function check(title, script, args) {
  const ok = run(title, script, args);
  if (ok) passed += 1;
  else failed += 1;
  return ok;
}

/**
 * Runs a ring and adds up what its report says. A runner that failed without a report, or that ran nothing, has failed.
 * @param {string} title @param {string} script @param {readonly string[]} args @param {string} report @param {(report: any) => { passed: number, failed: number }} count
 */
function ring(title, script, args, report, count) {
  rmSync(report, { force: true });
  const ok = run(title, script, args);
  try {
    const counted = count(JSON.parse(readFileSync(report, "utf8")));
    passed += counted.passed;
    failed += counted.failed;
    if ((!ok || counted.passed === 0) && counted.failed === 0) failed += 1;
  } catch (error) {
    console.error(`${title} left no report: ${String(error)}`);
    failed += 1;
  }
}

/** The journeys of a suite that were skipped, each with its engine. @param {any} suite @returns {string[]} */
function skippedIn({ specs = [], suites = [] }) {
  return [
    ...specs.flatMap((/** @type {any} */ { title, tests }) =>
      tests.flatMap((/** @type {any} */ { status, projectName }) => (status === "skipped" ? [`${projectName}: ${title}`] : [])),
    ),
    ...suites.flatMap(skippedIn),
  ];
}

for (const { title, script, args } of checks) check(title, script, args);
const built = check("build", "node_modules/vite/bin/vite.js", ["build", "--logLevel", "warn"]);
ring(
  "tests",
  "node_modules/vitest/vitest.mjs",
  ["run", "--reporter=dot", "--reporter=json", "--outputFile.json=.cache/unit.json"],
  ".cache/unit.json",
  (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }),
);
if (built) {
  check("size budget", "scripts/budget.mjs", []);
  const missing = missingEngines();
  if (missing.length > 0)
    console.log(`\n${missing.join(" and ")}: not installed, so their journeys are skipped. npm run engines installs them.`);
  ring("browser", "node_modules/@playwright/test/cli.js", ["test"], ".cache/e2e.json", ({ stats, suites }) => {
    skipped.push(...suites.flatMap(skippedIn));
    if (stats.flaky > 0) console.log(`── browser: ${stats.flaky} passed only on a later try; see "flaky" above`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  });
} else {
  console.error("The build failed, so the browser tests did not run.");
  failed += 1;
}

if (skipped.length > 0) {
  console.log(`\n${skipped.length} skipped:`);
  for (const name of skipped) console.log(`  ${name}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
