import { describe, expect, test } from "vitest";
import { loopbackWorker } from "../loopback.ts";
import { project } from "../project.ts";
import { realRun } from "./recorded.ts";
import { signalFiles, signalLines } from "./signal-lines.ts";

const start = () => project({ createWorker: loopbackWorker, contents: signalFiles });

describe("signals of programs, on QuickJS", () => {
  test.concurrent.each(signalLines)("%s", async (_name, line) => {
    const { run, sandbox } = await start();
    const [ours, theirs] = await Promise.all([run(line, { timeoutMs: 60_000 }), realRun(line, signalFiles)]);
    sandbox.dispose();
    expect(ours.stdout, ours.stderr).toBe(theirs.stdout);
  });

  test("killall runs handlers, and a program that stays ends with its command", async () => {
    const { run, sandbox } = await start();
    const until = (file: string): string => `until test -s ${file}; do sleep 0.02; done`;
    const outcome = await run(`node exits.js > log & ${until("ready")}; killall -INT node; wait $!; echo $?; cat log`);
    expect(outcome.stdout).toBe("3\nSIGINT 2\n");
    const stays = await run(`node stays.js > log & ${until("ready")}; kill $!; ${until("first")}; cat log`);
    expect([stays.stdout, stays.exitCode]).toEqual(["stays\n", 0]);
    expect(stays.stderr).toContain("a background job still ran at the end of the command and was stopped");
    sandbox.dispose();
  });
});
