import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type Case, cases } from "./cases.ts";
import { npmMachine } from "./machine.ts";
import { runReal, type Step } from "./real-npm.ts";
import { packagesOf, standIn } from "./stand-in.ts";

/** The real npm's results. `VIBEY_RECORD=1` records them again with this machine's npm. */
const file = join(import.meta.dirname, "recorded.json");
const records = process.env["VIBEY_RECORD"] === "1";
const recorded = new Map<string, readonly Step[]>(existsSync(file) ? Object.entries(JSON.parse(readFileSync(file, "utf8"))) : []);

async function runOurs({ registry, tags, pkg, run }: Case): Promise<Step[]> {
  const packages = standIn(tags);
  packages.add(...packagesOf(registry));
  const machine = npmMachine(packages);
  if (pkg) machine.put({ "package.json": pkg });
  const steps: Step[] = [];
  for (const line of run) {
    const done = await machine.run(line);
    const read = (name: string): string | null => (machine.list().includes(name) ? machine.read(name) : null);
    steps.push({ line, ...done, pkg: read("package.json"), lock: read("package-lock.json"), tree: machine.tree() });
  }
  return steps;
}

const timeless = (text: string): string => text.replaceAll(/ in \d+(?:ms|s|m)$/gm, " in a moment").trimEnd();

/** The parts that have to be equal. Of messages, only lines in which agents look for words are compared; of an error, its code. */
function compared({ line, exitCode, stdout, stderr, pkg, lock, tree }: Step): object {
  const codes = [...stderr.matchAll(/^npm error code (\S+)$/gm)].map(([, code]) => code);
  return {
    line,
    exitCode,
    stdout: timeless(stdout),
    codes,
    warned: [...stderr.matchAll(/^npm warn (deprecated|EBADENGINE|ERESOLVE) /gm)].length > 0,
    pkg,
    lock: lock === null ? null : withoutLicences(lock),
    tree,
  };
}

/** For a package that isn't installed because it is for another system, the short registry description gives no licence. */
function withoutLicences(lock: string): string {
  return lock.replaceAll(/^ {4}"node_modules\/(?:mac|mac\/[^"]*)": \{\n(?: {6}.*\n)* {4}\}/gm, (entry) =>
    entry.replaceAll(/^ {6}"license": .*\n/gm, ""),
  );
}

describe("npm as npm does it", () => {
  test.each(cases)("$name", { timeout: 60_000 }, async (one) => {
    if (records) recorded.set(one.name, await runReal(one));
    const real = recorded.get(one.name);
    if (!real) throw new Error(`nothing is recorded of "${one.name}"`);
    expect((await runOurs(one)).map(compared)).toEqual(real.map(compared));
  });
});

afterAll(() => {
  if (records) writeFileSync(file, `${JSON.stringify(Object.fromEntries(cases.map(({ name }) => [name, recorded.get(name)])), null, 1)}\n`);
});
