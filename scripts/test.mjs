// npm test: runs everything in several steps, and ends with a one-line summary.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { checks } from "./checks.mjs";
import { ensureInstalled } from "./install.mjs";
import { sideBySide } from "./side-by-side.mjs";

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
// A few journeys need features that only the full browser has.
const [browser, whole] = [ensureTestBrowser(), ensureChromium()];
console.log(`The tests run in ${browser}${browser === whole ? "" : `, a few journeys in ${whole}`}.`);

let passed = 0;
/** Tests that could not run on this machine. @type {string[]} */
const skipped = [];
/** Failures, listed again at the end because the output above is long. @type {string[]} */
const failures = [];

/** @param {string} title @param {string} script @param {readonly string[]} args */
async function run(title, script, args) {
  console.log(`\n── ${title}`);
  const started = Date.now();
  const [status] = await once(spawn(process.execPath, [script, ...args], { stdio: "inherit" }), "close");
  console.log(`── ${title}: ${status === 0 ? "ok" : "failed"}, ${((Date.now() - started) / 1000).toFixed(0)} s`);
  return status === 0;
}

/** @param {string} title @param {boolean} ok */
function count(title, ok) {
  if (ok) passed += 1;
  else failures.push(title);
}

/**
 * Runs a step and adds up the results in its report. A runner that wrote no report or ran no test counts as failed.
 * @param {string} title @param {string} script @param {readonly string[]} args @param {string} report @param {(report: any) => { passed: number, failures: string[] }} read
 */
async function ring(title, script, args, report, read) {
  rmSync(report, { force: true });
  const ok = await run(title, script, args);
  try {
    const counted = read(JSON.parse(readFileSync(report, "utf8")));
    passed += counted.passed;
    if ((!ok || counted.passed === 0) && counted.failures.length === 0) counted.failures.push(`${title}: see above`);
    failures.push(...counted.failures);
  } catch (error) {
    console.error(`${title} left no report: ${String(error)}`);
    failures.push(`${title}: no report`);
  }
}

/** The journeys of a suite with the given status, each with its engine. @param {any} suite @param {string} wanted @returns {string[]} */
function journeysThat({ specs = [], suites = [] }, wanted) {
  return [
    ...specs.flatMap((/** @type {any} */ { file, title, tests }) =>
      tests.flatMap((/** @type {any} */ { status, projectName }) => (status === wanted ? [`${projectName}: ${file}: ${title}`] : [])),
    ),
    ...suites.flatMap((/** @type {any} */ inner) => journeysThat(inner, wanted)),
  ];
}

/** The failed tests in a Vitest report. A file that could not be loaded counts as one. @param {any} report @returns {string[]} */
function failedTests({ testResults }) {
  return testResults.flatMap((/** @type {any} */ { name, status, assertionResults }) => {
    const tests = assertionResults.filter((/** @type {any} */ result) => result.status === "failed");
    if (tests.length === 0) return status === "failed" ? [name] : [];
    return tests.map(
      (/** @type {any} */ { fullName, failureMessages }) => `${name}: ${fullName}\n    ${String(failureMessages[0]).slice(0, 600)}`,
    );
  });
}

// The checks and the build run beside the tests, with a low priority: the tests leave some time of two processors free.
const build = { title: "build", script: "node_modules/vite/bin/vite.js", args: ["build", "--logLevel", "warn"] };
const beside = [build, ...checks];
const [ended] = await Promise.all([
  sideBySide(beside, { low: true }),
  ring(
    "tests",
    "node_modules/vitest/vitest.mjs",
    ["run", "--reporter=dot", "--reporter=json", "--outputFile.json=.cache/unit.json"],
    ".cache/unit.json",
    (report) => ({ passed: report.numPassedTests, failures: failedTests(report) }),
  ),
]);
beside.forEach(({ title }, at) => count(title, ended[at] === true));
const built = ended[0] === true;
if (built) {
  count("size budget", await run("size budget", "scripts/budget.mjs", []));
  const missing = missingEngines();
  if (missing.length > 0)
    console.log(`\n${missing.join(" and ")}: not installed, so their journeys are skipped. npm run engines installs them.`);
  await ring("browser", "node_modules/@playwright/test/cli.js", ["test"], ".cache/e2e.json", ({ stats, suites }) => {
    skipped.push(...journeysThat({ suites }, "skipped"));
    return { passed: stats.expected, failures: journeysThat({ suites }, "unexpected") };
  });
} else {
  console.error("The build failed, so the browser tests did not run.");
  failures.push("browser: did not run");
}

if (skipped.length > 0) {
  console.log(`\n${skipped.length} skipped:`);
  for (const name of skipped) console.log(`  ${name}`);
}
if (failures.length > 0) {
  console.log("\nFailed:");
  for (const name of failures) console.log(`  ${name}`);
}
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
