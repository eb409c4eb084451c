import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { ShellDone } from "../../../../src/shell/embedded/protocol.ts";
import type { Processes, ProgramEnd } from "../../../../src/shell/webcontainer/script/programs/processes.ts";
import { serve } from "../../../../src/shell/webcontainer/script/serve.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "vibey-timeout-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Milliseconds, longer than just-bash waits for an ending command. */
const aMoment = 250;

/**
 * `node` prints, waits for a signal, prints again after a moment, and exits with its first argument as the code; with `stubborn`, only
 * SIGKILL ends it.
 */
function slowPrograms(heard: string[]): Processes {
  return {
    endAll: () => undefined,
    start({ args: [how = ""], output }) {
      let resolve: (end: ProgramEnd) => void = () => undefined;
      const end = new Promise<ProgramEnd>((settle) => {
        resolve = settle;
      });
      const say = (text: string): void => output("stdout", new TextEncoder().encode(text));
      say("begun\n");
      const take = (signal: string): void => {
        heard.push(signal);
        if (signal === "SIGKILL") return resolve({ kind: "ended", exitCode: 137 });
        if (how === "stubborn") return;
        setTimeout(() => {
          say("ended\n");
          resolve({ kind: "ended", exitCode: Number(how) });
        }, aMoment);
      };
      return { end, send: take, stop: (signal) => take(`stop ${signal}`) };
    },
  };
}

async function run(command: string, timeoutMs = 60_000): Promise<{ readonly done: ShellDone; readonly heard: readonly string[] }> {
  const heard: string[] = [];
  const served = await serve({ project: folder, variables: { PATH: "" }, processes: slowPrograms(heard), post: () => undefined });
  const done = await served.run({ type: "run", command, folder, env: {}, timeoutMs, maxBytes: 1_000_000, liveCharacters: 1_000 });
  return { done, heard };
}

// Loading code for the first command doesn't count toward a time limit.
beforeAll(async () => {
  const first = realpathSync(mkdtempSync(join(tmpdir(), "vibey-timeout-")));
  const served = await serve({ project: first, variables: { PATH: "" }, processes: slowPrograms([]), post: () => undefined });
  await served.run({
    type: "run",
    command: "timeout 60 bash -c true",
    folder: first,
    env: {},
    timeoutMs: 60_000,
    maxBytes: 1_000,
    liveCharacters: 1_000,
  });
  rmSync(first, { recursive: true, force: true });
});

test.each([
  ["a program that takes a moment to end", "timeout 0.3 node 143; echo $?", "begun\nended\n124\n", ["SIGTERM"]],
  [
    "one below other commands",
    "timeout 1 bash -c 'echo in; env A=1 node 143; echo never'; echo $?",
    "in\nbegun\nended\n124\n",
    ["SIGTERM"],
  ],
  ["with the signal that was asked for", "timeout -s INT 0.3 node 3; echo $?", "begun\nended\n124\n", ["SIGINT"]],
  ["with its own exit code", "timeout --preserve-status 0.3 node 3; echo $?", "begun\nended\n3\n", ["SIGTERM"]],
  ["by force, when it takes no notice", "timeout -k 0.3 0.3 node stubborn; echo $?", "begun\n137\n", ["SIGTERM", "SIGKILL"]],
  ["before it is too late", "timeout -k 60 0.3 node 0; echo $?", "begun\nended\n124\n", ["SIGTERM"]],
  ["with two of them", "timeout 60 bash -c 'timeout 0.3 node 143; echo $?'; echo $?", "begun\nended\n124\n0\n", ["SIGTERM"]],
  ["in a pipe", "timeout 0.3 node 143 | tr a-z A-Z; echo ${PIPESTATUS[0]}", "BEGUN\nENDED\n124\n", ["SIGTERM"]],
])("%s is ended, and the script goes on", async (_, command, stdout, signals) => {
  const { done, heard } = await run(command);
  expect(done).toMatchObject({ stdout, stderr: "", exitCode: 0, limit: null });
  expect(heard).toEqual(signals);
});

test("the command's own time limit stops it all the same", async () => {
  const { done, heard } = await run("timeout 60 node 143; echo never", 500);
  expect(done).toMatchObject({ exitCode: 124, limit: "time" });
  expect(done.stdout).not.toContain("never");
  expect(heard).toEqual(["stop SIGTERM"]);
});
