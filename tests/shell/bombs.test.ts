import { afterAll, beforeAll, expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project, type TestProject } from "./project.ts";

/**
 * Commands that fill up a machine. For endless loops, `node`, `python3` and memory, see `embedded.chromium.test.ts`, `node/`,
 * `isolation.test.ts` and `e2e/node-bomb.spec.ts`.
 */
let here: TestProject;
beforeAll(async () => {
  here = await project({ createWorker: loopbackWorker });
});
afterAll(() => here.sandbox.dispose());

const far = 300_000;

test.each([
  ["jobs that start jobs and are not waited for", ":(){ :|:& };:", 0, ""],
  ["a function that calls itself", "f() { f; }; f", 126, "bash: f: more than 500 calls within calls\n"],
  ["100 MB of output", "for i in {1..100}; do printf '%1000000d' 1; done", 126, "total output size exceeded"],
])("%s: ends by itself, and the next command runs", async (_, command, exitCode, said) => {
  const outcome = await here.run(command, { timeoutMs: far });
  expect(outcome.stderr).toContain(said);
  expect({ limit: outcome.limit === "time", code: outcome.exitCode }).toEqual({ limit: false, code: exitCode });
  expect(outcome.stdout.length).toBeLessThanOrEqual(1_000_000);
  expect(await here.run("echo fine")).toMatchObject({ stdout: "fine\n", stderr: "" });
});
