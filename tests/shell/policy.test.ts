import { expect, test } from "vitest";
import { headersFor, readHeaderRules } from "../../scripts/headers.mjs";
import { embeddedSandbox } from "../../src/shell/embedded/embedded.ts";
import { createPolicyWait, isStrict } from "../../src/shell/policy.ts";
import type { RunOutcome } from "../../src/shell/sandbox.ts";
import { memoryFiles } from "../../src/fs/memory.ts";
import { testAssets } from "./assets.ts";
import { loopbackWorker } from "./loopback.ts";
import { systemTimers } from "../../src/engine/providers/deps.ts";

/** A clock that waiting advances. */
function quickTimers() {
  let at = 0;
  return {
    now: () => at,
    after(ms: number, callback: () => void) {
      at += ms;
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
}

async function runWith(looks: () => boolean, signal = new AbortController().signal) {
  const log: string[] = [];
  const timers = quickTimers();
  const sandbox = embeddedSandbox({
    files: memoryFiles({ now: () => 0 }),
    timers: systemTimers,
    assets: testAssets,
    createWorker() {
      log.push("worker");
      return loopbackWorker();
    },
    policy: createPolicyWait(
      async () => {
        const is = looks();
        log.push(is ? "policy" : "no policy");
        return is;
      },
      timers,
      () => log.push("asked"),
    ),
  });
  const run = (): Promise<RunOutcome> =>
    sandbox.run("echo ran", {
      session: "one",
      timeoutMs: 20_000,
      maxBytes: 1_000,
      signal,
      onOutput: ({ text }) => log.push(text === "" ? "over" : text.slice(0, 7)),
    });
  const outcome = await run();
  return { log, outcome, run, dispose: () => sandbox.dispose() };
}

test("a command waits until the shell's policy is there, and says so; no worker is made before", async () => {
  let looks = 0;
  const { log, outcome, run, dispose } = await runWith(() => (looks += 1) > 2);
  expect(outcome).toMatchObject({ stdout: "ran\n", exitCode: 0 });
  expect(log.slice(0, 7)).toEqual(["no policy", "asked", "Waiting", "no policy", "policy", "over", "worker"]);
  await run();
  expect(looks).toBe(3);
  expect(log.filter((each) => each === "asked")).toHaveLength(1);
  dispose();
});

test("where the policy is there from the start, no service worker is asked for", async () => {
  const { log, outcome, dispose } = await runWith(() => true);
  expect(outcome.stdout).toBe("ran\n");
  expect(log).not.toContain("asked");
  dispose();
});

test("without a policy at all nothing runs, and what to do is said", async () => {
  const { log, outcome, dispose } = await runWith(() => false);
  expect(outcome).toMatchObject({ stdout: "", exitCode: 126, aborted: false, changes: [] });
  expect(outcome.stderr).toContain("Reload the page");
  expect(log).not.toContain("worker");
  dispose();
});

test("a command that waits for the policy can be stopped", async () => {
  const stop = new AbortController();
  const { log, outcome, dispose } = await runWith(() => {
    stop.abort();
    return false;
  }, stop.signal);
  expect(outcome).toMatchObject({ exitCode: 130, aborted: true });
  expect(log).not.toContain("worker");
  dispose();
});

test.each([
  ["the shipped one", headersFor(readHeaderRules("public/_headers"), "/sandbox/worker.js")["Content-Security-Policy"] ?? null, true],
  ["none", null, false],
  ["an empty one", "", false],
  ["one that lets text become code", "default-src 'none'; connect-src 'none'; script-src 'self' 'unsafe-eval'", false],
  ["one that lets the network be reached", "default-src 'none'; script-src 'self'; connect-src https:", false],
  ["the engine's", headersFor(readHeaderRules("public/_headers"), "/engine/worker.js")["Content-Security-Policy"] ?? null, false],
])("%s: strict enough, or not", (_, policy, expected) => {
  expect(isStrict(policy)).toBe(expected);
});
