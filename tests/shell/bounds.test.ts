import { expect, test } from "vitest";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** A command that would use too much ends with one line that says so, and keeps its output so far. */
test.each<[command: string, stdout: string, stderr: string, exitCode: number]>([
  ["yes | head -2", "y\ny\n", "", 0],
  ["f() { f; }; f; echo never", "", "bash: f: more than 500 calls within calls\n", 126],
  ["f() { [ $1 = 400 ] && echo deep || f $(($1 + 1)); }; f 1", "deep\n", "", 0],
  ["head -c 100000000 /dev/zero | wc -c", "0\n", "head: at most 64000000 bytes of a device can be read at once\n", 0],
])("%s", { timeout: 120_000 }, async (command, stdout, stderr, exitCode) => {
  const { run, sandbox } = await project({ createWorker: loopbackWorker });
  try {
    const outcome = await run(command, { timeoutMs: 100_000 });
    expect(outcome).toMatchObject({ stdout, stderr, exitCode });
  } finally {
    sandbox.dispose();
  }
});
