import { beforeAll, expect, test } from "vitest";
import { builtScript, removeBuilt, runScript, testContainer } from "./harness.ts";

beforeAll(async () => {
  await builtScript();
  return removeBuilt;
}, 120_000);

test("a program that prints more into a pipe than is held is stopped and says so", async () => {
  const container = testContainer({
    "endless.js": "const go = () => { while (process.stdout.write('x'.repeat(1e6))); process.stdout.once('drain', go); }; go();",
  });
  const { done } = await runScript(container, "node endless.js | wc -c; echo ${PIPESTATUS[0]}");
  container.remove();
  expect(done.stderr).toContain("more than 32 MB of output");
  expect(done.stdout).toMatch(/\n141\n$/);
});
