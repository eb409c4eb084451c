import { beforeAll, describe, expect, test } from "vitest";
import { sizeOf } from "../../src/shell/embedded/commands/awk/size.ts";
import { loopbackWorker } from "./loopback.ts";
import { project, type TestProject } from "./project.ts";

describe("awk takes no more memory than a tab has", () => {
  let shell: TestProject;
  beforeAll(async () => {
    shell = await project({ createWorker: loopbackWorker, contents: {} });
  });

  test.each([
    "BEGIN { while (1) a[i++] = i }",
    'function f(own, i, s) { s = sprintf("%9000s", "x"); while (1) own[i++] = s i } BEGIN { f() }',
    'BEGIN { s = sprintf("%1000s", "x"); while (1) a[i++] = s i }',
  ])("%s", async (program) => {
    const { exitCode, stderr } = await shell.run(`awk '${program}'`, { timeoutMs: 300_000 });
    expect([exitCode, stderr]).toEqual([2, "awk: the variables take more than 512 MB\n"]);
  });

  test("what a program of ordinary size needs is let through", async () => {
    const { exitCode, stdout } = await shell.run(`awk 'BEGIN { for (i = 0; i < 500000; i++) a[i] = i; print length(a) }'`, {
      timeoutMs: 300_000,
    });
    expect([exitCode, stdout]).toEqual([0, "500000\n"]);
  });
});

test("the size of many elements is told from a few", () => {
  const array = new Map(Array.from({ length: 100_000 }, (_, n) => [String(n % 10).repeat(10) + n, "x".repeat(50)]));
  const size = sizeOf(["x".repeat(1_000), 7], [array, new Map()]);
  expect(size / (1_000 + 100_000 * (160 + 50 + 15))).toBeCloseTo(1, 1);
});
