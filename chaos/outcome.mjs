/**
 * The reports of the test runners for the files that a campaign names. The campaign fails if a file did not run, or if all of its tests were
 * skipped: what never ran proves nothing.
 *
 * @typedef {{ held: number, failed: number, broken: string[], tried: number[] }} Outcome `tried`: how often, for each test that counts
 * @typedef {{ name: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages?: string[], meta?: { tried?: number } }[] }} UnitFile
 * @typedef {{ file: string, specs: { title: string, tests: { status: string }[] }[], suites?: JourneySuite[] }} JourneySuite
 */

/** @param {{ testResults: UnitFile[] }} report Vitest's, as JSON @param {readonly string[]} files paths @returns {Outcome} */
export function unitOutcome({ testResults }, files) {
  const broken = files.flatMap((file) => {
    const of = testResults.filter(({ name }) => name.replaceAll("\\", "/").endsWith(`/${file}`));
    return of.some(({ assertionResults }) => assertionResults.some(({ status }) => status === "passed"))
      ? []
      : [`${file}: no test of it held`];
  });
  let [held, failed] = [0, 0];
  /** @type {number[]} */
  const tried = [];
  for (const { name, message, assertionResults } of testResults) {
    if (assertionResults.length === 0) broken.push(`${name}: ${message || "no test was found in it"}`);
    for (const { status, fullName, failureMessages = [], meta } of assertionResults) {
      if (meta?.tried !== undefined) tried.push(meta.tried);
      if (status === "passed") held += 1;
      if (status !== "failed") continue;
      failed += 1;
      broken.push(`${fullName}: ${failureMessages.join("\n").slice(0, 1_000)}`);
    }
  }
  if (held === 0) broken.push("no test ran");
  return { held, failed, broken, tried };
}

/** @param {{ suites: JourneySuite[] }} report Playwright's, as JSON @param {readonly string[]} files their names in `e2e` */
export function journeyOutcome({ suites }, files) {
  const ran = suites.flatMap(testsOf);
  const broken = files.flatMap((file) =>
    ran.some((each) => each.file === file && each.status === "expected") ? [] : [`e2e/${file}: no journey of it held`],
  );
  const failed = ran.filter(({ status }) => status === "unexpected" || status === "flaky");
  const held = ran.filter(({ status }) => status === "expected").length;
  broken.push(...failed.map(({ file, title }) => `e2e/${file}: ${title}`));
  if (held === 0) broken.push("no journey ran");
  return { held, failed: failed.length, broken };
}

/** @param {JourneySuite} suite @returns {{ file: string, title: string, status: string }[]} */
function testsOf({ file, specs, suites = [] }) {
  const own = specs.flatMap(({ title, tests }) => tests.map(({ status }) => ({ file, title, status })));
  return [...own, ...suites.flatMap(testsOf)];
}
