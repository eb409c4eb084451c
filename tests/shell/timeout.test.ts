import { describe, expect, test } from "vitest";
import type { NetAnswer } from "../../src/shell/network.ts";
import type { RunOutcome } from "../../src/shell/sandbox.ts";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";
import { slowClock } from "./slow-clock.ts";

/** `sleep 9` advances the clock by five seconds, and so does a request, which never gets an answer. */
async function run(
  command: string,
  { step = 0, timeoutMs = 600_000, signal = new AbortController().signal, onRequest = (): void => undefined } = {},
): Promise<RunOutcome> {
  const clock = slowClock(step);
  const machine = await project({ createWorker: () => loopbackWorker(clock) });
  const network = (): Promise<NetAnswer> => {
    onRequest();
    clock.advance(5_000);
    return new Promise(() => undefined);
  };
  return machine.run(command, { timeoutMs, network, signal });
}

describe("a command that takes too long", () => {
  test.each([
    ["is ended, and the script goes on", "echo before; timeout 5 sleep 9; echo $?", "before\n124\n"],
    ["that never answers, too", "echo before; timeout 5 curl -s https://a.example/; echo $?", "before\n124\n"],
    ["and one below another program", "timeout 5 env A=1 nice xargs curl -s <<< https://a.example/; echo $?", "124\n"],
    ["keeps what it printed", "timeout 5 bash -c 'echo kept; sleep 9; echo never'; echo $?", "kept\n124\n"],
    ["keeps it in a pipe", "timeout 5 bash -c 'echo kept; sleep 9; echo never' | tr a-z A-Z; echo ${PIPESTATUS[@]}", "KEPT\n124 0\n"],
    ["keeps it in a variable", "x=$(timeout 5 bash -c 'echo kept; sleep 9'); echo $? $x", "124 kept\n"],
    ["in a file", "timeout 5 bash -c 'echo kept; sleep 9' > /tmp/f; echo $?; cat /tmp/f", "124\nkept\n"],
    ["in a subshell", "(timeout 5 sleep 9; echo $?; exit 3); echo $?", "124\n3\n"],
    ["before && and ||", "timeout 5 sleep 9 && echo never || echo $?; ! timeout 5 sleep 9; echo $?", "124\n0\n"],
    [
      "writes nothing any more",
      "timeout 5 bash -c 'sleep 9; echo x > /tmp/late'; sleep 1 & sleep 9; wait; ls /tmp/late 2>&1 | wc -l",
      "1\n",
    ],
    ["in a function and a loop", "f() { timeout 5 sleep 9; echo $1 $?; }; for i in 1 2; do f $i; done", "1 124\n2 124\n"],
    ["with set -e", "set -e; timeout 5 sleep 9 || echo $?; echo on; timeout 5 sleep 9; echo never", "124\non\n"],
    ["with a job of its own", "timeout 5 bash -c 'sleep 9 & wait; echo never'; echo $?", "124\n"],
    ["as a job", "timeout 5 sleep 9 & wait $!; echo $?", "124\n"],
    [
      "in a script",
      "printf 'echo in\\nsleep 9\\necho never\\n' > /tmp/s; timeout 5 bash /tmp/s; echo $?; timeout 5 /bin/sh /tmp/s; echo $?",
      "in\n124\nin\n124\n",
    ],
    [
      "in a script of npm",
      `cd /tmp; echo '{"scripts":{"a":"echo in; sleep 9; echo never"}}' > package.json; timeout 5 npm run -s a; echo $?`,
      "in\n124\n",
    ],
    [
      "below another one that ends first",
      "timeout 5 bash -c 'echo a; timeout 50 bash -c \"echo b; sleep 9; echo c\"; echo d'; echo $?",
      "a\nb\n124\n",
    ],
    [
      "below another one that goes on",
      "timeout 50 bash -c 'timeout 5 bash -c \"echo b; sleep 9; echo c\"; echo $?; exit 7'; echo $?",
      "b\n124\n7\n",
    ],
  ])("%s", async (_, command, stdout) => {
    const outcome = await run(command);
    expect(outcome).toMatchObject({ stdout, stderr: "", limit: null, aborted: false });
  });

  test("is ended when it computes, too", async () => {
    expect(await run("timeout 5 bash -c 'echo a; while :; do :; done'; echo $?", { step: 1 })).toMatchObject({
      stdout: "a\n124\n",
      stderr: "",
    });
  });

  test("is ended when it is a program of JavaScript", async () => {
    const source = 'console.log("in"); fetch("https://a.example/"); setInterval(() => undefined, 1000)';
    expect(await run(`timeout 5 node -e '${source}'; echo $?`)).toMatchObject({ stdout: "in\n124\n", stderr: "" });
  });
});

describe("a command that ends in time", () => {
  test.each([
    ["timeout 5 echo in time; echo $?", "in time\n0\n"],
    ["timeout 5 bash -c 'exit 7'; echo $?", "7\n"],
    ["timeout 0 sleep 9; echo $?", "0\n"],
    [
      "timeout 10 sleep 9; timeout 10s sleep 9; timeout .2m sleep 9; timeout 1h sleep 9; timeout 1.5d sleep 9; timeout 1e3 sleep 9; timeout inf sleep 9; echo $?",
      "0\n",
    ],
    ["echo piped | timeout 5 cat; timeout 5 printf '%s|' 'a b' \"it's\" ''", "piped\na b|it's||"],
    ["timeout 5 true; sleep 9; echo on", "on\n"],
    ["timeout 5 bash -c '(sleep 9; echo job) & echo out'; wait; echo on", "out\njob\non\n"],
  ])("%s", async (command, stdout) => {
    expect(await run(command)).toMatchObject({ stdout, stderr: "" });
  });

  test("what can't be found says so", async () => {
    expect(await run("timeout 5 nothing-like-this")).toMatchObject({
      exitCode: 127,
      stderr: "bash: nothing-like-this: command not found\n",
    });
  });
});

describe("options", () => {
  test.each([
    ["timeout --preserve-status 5 sleep 9", 143],
    ["timeout -p -s INT 5 sleep 9", 130],
    ["timeout -s HUP 5 sleep 9", 124],
    ["timeout -s 9 5 sleep 9", 137],
    ["timeout --signal=SIGKILL 5 sleep 9", 137],
    ["timeout -k 1 5 sleep 9", 124],
    ["timeout -k1 --kill-after=2s --kill-after 3 -fp --foreground 5 sleep 9", 143],
    ["timeout -- 5 sleep 9", 124],
  ])("%s", async (command, exitCode) => {
    expect(await run(command)).toMatchObject({ stdout: "", stderr: "", exitCode });
  });

  test("-v says what is sent", async () => {
    expect(await run("timeout -v 5 sleep 9")).toMatchObject({ exitCode: 124, stderr: "timeout: sending signal TERM to command 'sleep'\n" });
  });

  test.each([
    ["timeout", "missing operand"],
    ["timeout 5", "missing operand"],
    ["timeout x ls", "invalid time interval 'x'"],
    ["timeout -- -1 ls", "invalid time interval '-1'"],
    ["timeout 5x ls", "invalid time interval '5x'"],
    ["timeout -k y 5 ls", "invalid time interval 'y'"],
    ["timeout -s NOPE 5 ls", "'NOPE': invalid signal"],
    ["timeout --nope 5 ls", "unrecognized option '--nope'"],
    ["timeout -x 5 ls", "invalid option -- 'x'"],
    ["timeout -k", "option requires an argument -- 'k'"],
    ["timeout --signal", "option '--signal' requires an argument"],
  ])("%s is refused", async (command, why) => {
    expect(await run(command)).toMatchObject({
      exitCode: 125,
      stdout: "",
      stderr: `timeout: ${why}\nTry 'timeout --help' for more information.\n`,
    });
  });

  test("--help says what there is", async () => {
    expect((await run("timeout --help")).stdout).toContain("--kill-after=DURATION");
  });
});

describe("what ends everything", () => {
  test("the command's own time limit", async () => {
    const outcome = await run("echo a; timeout 5000 bash -c 'echo b; while :; do :; done'; echo never", { step: 1, timeoutMs: 20_000 });
    expect(outcome).toMatchObject({ stdout: "a\nb\n", exitCode: 124, limit: "time" });
    expect(outcome.stderr).toContain("vibey: stopped at the time limit\n");
  });

  test("a person's Stop", async () => {
    const stop = new AbortController();
    const outcome = await run("echo a; timeout 50 bash -c 'echo b; curl -s https://a.example/; echo c'; echo never", {
      signal: stop.signal,
      onRequest: () => stop.abort(),
    });
    expect(outcome).toMatchObject({ exitCode: 130, aborted: true });
    expect(outcome.stdout).not.toMatch(/c|never/);
  });
});

test("a program that ends another one which does not hear of it goes on", async () => {
  const source = `const { spawn } = require("child_process");
const child = spawn("bash", ["-c", "curl -s https://a.example/; echo never"]);
child.on("close", () => console.log("closed"));
setTimeout(() => child.kill(), 50);`;
  expect(await run(`node -e '${source}'; echo $?`)).toMatchObject({ stdout: "closed\n0\n", stderr: "" });
});
