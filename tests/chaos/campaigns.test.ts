import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { journeyFiles, unitFiles } from "../../chaos/files.mjs";
import { journeyOutcome, unitOutcome } from "../../chaos/outcome.mjs";
import { report } from "../../chaos/report.ts";

/** A campaign can't pass because of tests that it didn't run. */

const paths = [...Object.values(unitFiles).flat(), ...Object.values(journeyFiles).flatMap((names) => names.map((name) => `e2e/${name}`))];

test.each(paths)("%s, which a campaign names, is there", (path) => expect(existsSync(path)).toBe(true));

const unit = (name: string, ...status: string[]) => ({
  name: `/home/me/${name}`,
  assertionResults: status.map((one) => ({
    status: one,
    fullName: `test of ${name}`,
    failureMessages: one === "failed" ? ["it fell"] : [],
  })),
});

describe("unit tests", () => {
  const files = ["tests/a.test.ts", "tests/b.test.ts"];
  test("hold when each file has a test that held", () => {
    const testResults = [unit("tests/a.test.ts", "passed", "skipped"), unit("tests/b.test.ts", "passed")];
    expect(unitOutcome({ testResults }, files)).toEqual({ held: 2, failed: 0, broken: [], tried: [] });
  });
  test.each([
    ["a file that was not found", [unit("tests/a.test.ts", "passed")], ["tests/b.test.ts: no test of it held"]],
    [
      "a file of which every test was left out",
      [unit("tests/a.test.ts", "passed"), unit("tests/b.test.ts", "skipped", "pending")],
      ["tests/b.test.ts: no test of it held"],
    ],
    [
      "a file that could not be read",
      [unit("tests/a.test.ts", "passed"), { ...unit("tests/b.test.ts"), message: "SyntaxError" }],
      ["tests/b.test.ts: no test of it held", "/home/me/tests/b.test.ts: SyntaxError"],
    ],
    [
      "a test that fell",
      [unit("tests/a.test.ts", "passed"), unit("tests/b.test.ts", "passed", "failed")],
      ["test of tests/b.test.ts: it fell"],
    ],
    [
      "another folder's file of the same name",
      [unit("tests/a.test.ts", "passed"), unit("old-tests/b.test.ts", "passed")],
      ["tests/b.test.ts: no test of it held"],
    ],
  ])("break by %s", (_what, testResults, broken) => {
    expect(unitOutcome({ testResults }, files).broken).toEqual(broken);
  });
  test("break when none ran, whatever was asked for", () => {
    expect(unitOutcome({ testResults: [] }, []).broken).toEqual(["no test ran"]);
  });
});

const suite = (file: string, ...status: string[]) => ({
  file,
  specs: [],
  suites: [{ file, specs: status.map((one) => ({ title: "a journey", tests: [{ status: one }] })) }],
});

describe("journeys", () => {
  const files = ["a.spec.ts", "b.spec.ts"];
  test("hold when each file has one that held", () => {
    const suites = [suite("a.spec.ts", "expected", "skipped"), suite("b.spec.ts", "expected")];
    expect(journeyOutcome({ suites }, files)).toEqual({ held: 2, failed: 0, broken: [] });
  });
  test.each([
    ["a file that was not found", [suite("a.spec.ts", "expected")], ["e2e/b.spec.ts: no journey of it held"]],
    [
      "a file of which every journey was left out",
      [suite("a.spec.ts", "expected"), suite("b.spec.ts", "skipped")],
      ["e2e/b.spec.ts: no journey of it held"],
    ],
    [
      "one that held the second time only",
      [suite("a.spec.ts", "expected"), suite("b.spec.ts", "expected", "flaky")],
      ["e2e/b.spec.ts: a journey"],
    ],
    ["one that fell", [suite("a.spec.ts", "expected"), suite("b.spec.ts", "expected", "unexpected")], ["e2e/b.spec.ts: a journey"]],
  ])("break by %s", (_what, suites, broken) => {
    expect(journeyOutcome({ suites }, files).broken).toEqual(broken);
  });
  test("break when none ran, whatever was asked for", () => {
    expect(journeyOutcome({ suites: [] }, []).broken).toEqual(["no journey ran"]);
  });
});

test("a script that tried nothing is broken", () => {
  const said: unknown[] = [];
  const { log } = console;
  const { exitCode } = process;
  console.log = (line: unknown) => said.push(line);
  try {
    report("kills", 7, { cases: 0, figures: "0 kills", broken: [] });
    expect(process.exitCode).toBe(1);
    report("kills", 7, { cases: 1, figures: "1 kill", broken: [] });
    expect(process.exitCode).toBe(0);
  } finally {
    console.log = log;
    process.exitCode = exitCode;
  }
  expect(said).toEqual(["  BROKEN  kills: 0 kills (seed 7)", "          nothing was tried", "  held    kills: 1 kill (seed 7)"]);
});
