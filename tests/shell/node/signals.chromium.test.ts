import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "vitest/browser";
import { createShellWorker } from "../../../src/shell/create-worker.ts";
import { project, type TestProject } from "../project.ts";
import { frameParts } from "./frame.ts";
import type { Printed } from "./machine.ts";
import { signalFiles, signalLines } from "./signal-lines.ts";

interface NodeCommands {
  readonly realRun: (line: string, files: Readonly<Record<string, string>>) => Promise<Printed>;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- vitest.config.ts adds it.
const { realRun } = commands as unknown as NodeCommands;

let here: TestProject;
beforeAll(async () => {
  here = await project({ createWorker: createShellWorker, contents: signalFiles, programs: frameParts });
});
afterAll(() => here.sandbox.dispose());

describe("signals of programs in a frame", () => {
  test("the frame's own engine runs them", async () => {
    expect((await here.run("node -p 'process.versions.v8'")).stdout).toBe("0.0.0-browser\n");
  });

  test.each(signalLines)("%s", async (_name, line) => {
    const [ours, theirs] = await Promise.all([here.run(line, { timeoutMs: 60_000 }), realRun(line, signalFiles)]);
    expect(ours.stdout, ours.stderr).toBe(theirs.stdout);
  });

  test("one that computes without end is ended by what it can't hear of", async () => {
    const outcome = await here.run(
      `node -e 'process.on("SIGTERM", () => {}); require("fs").writeFileSync("ready", "x"); for (;;);' & until test -s ready; do sleep 0.02; done; kill $!; sleep 0.1; kill -9 $!; wait $!; echo $?`,
    );
    expect(outcome.stdout, outcome.stderr).toBe("137\n");
  });
});
