import { expect, test } from "vitest";
import { runTests } from "../../../src/shell/embedded/node/test-run.ts";

test("TAP counts the tests of all files, and its plan comes last", async () => {
  const printed: Readonly<Record<string, string>> = {
    "/p/a.test.js": "# Subtest: one\n    # Subtest: within\n    ok 1 - within\n    1..1\nok 1 - one\n# Subtest: two\nnot ok 2 - two\n",
    "/p/b.test.js": "# Subtest: three\nok 1 - three\n",
    "/p/c.test.js": "no tests\n",
  };
  const { stdout } = await runTests(Object.keys(printed), {
    cwd: "/p",
    reporter: "tap",
    now: () => 0,
    stopped: () => false,
    runFile: async (path, report) => {
      if (!path.includes("c.")) report(JSON.stringify({ counts: { tests: 1 }, failures: [] }));
      return { stdout: printed[path] ?? "", stderr: "", exitCode: 0 };
    },
  });
  expect(
    String(stdout)
      .split("\n")
      .filter((line) => /^(?:TAP|ok|not ok|1\.\.)/.test(line)),
  ).toEqual(["TAP version 13", "ok 1 - one", "not ok 2 - two", "ok 3 - three", "ok 4 - c.test.js", "1..4"]);
});
