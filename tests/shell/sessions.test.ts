import { describe, expect, test } from "vitest";
import { aboutEmbedded as about } from "../../src/shell/embedded/about.ts";
import { instead, toldCommands, untoldCommands } from "../../src/shell/embedded/commands/catalog.ts";
import { namesNotHere } from "../../src/shell/embedded/commands/not-here.ts";
import { absentGitCommands } from "../../src/shell/embedded/git/commands/absent.ts";
import { gitNames } from "../../src/shell/embedded/git/commands/names.ts";
import { loopbackWorker } from "./loopback.ts";
import { project } from "./project.ts";

/** The output of each command, run one after the other in one project. */
async function printed(rows: readonly (readonly [session: string, command: string])[]): Promise<string[]> {
  const { run, sandbox } = await project({ createWorker: loopbackWorker, contents: { "src/a": "a\n" } });
  const lines: string[] = [];
  for (const [session, command] of rows) lines.push((await run(command, { session })).stdout.trimEnd().replaceAll("\n", "|"));
  sandbox.dispose();
  return lines;
}

const one = (...commands: readonly string[]): [string, string][] => commands.map((command) => ["one", command]);

describe("from one command of a session to the next", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["the folder and what was exported are kept", ["cd src; export A=1 B=2", "pwd; echo $A$B"], ["", "/project/src|12"]],
    [
      "after exit, and after set -e, too",
      ["cd src; export A=1; exit 3", "pwd; echo $A; set -e; A=2; cd ..; false", "pwd; echo $A"],
      ["", "/project/src|1", "/project|2"],
    ],
    [
      "what an exit in a subshell or a pipe noted is not",
      ["export A=1; (export A=2; exit 1); echo x | { A=3; exit 2; }; export B=4", "echo $A$B"],
      ["", "14"],
    ],
    [
      "nor what a subshell did before a command that failed for good",
      ["cd src; (cd /tmp; export K=2; exit 0); export K=3; : ${nope:?x}", "pwd; echo [$K]"],
      ["", "/project/src|[3]"],
    ],
    ["what was unset is gone", ["export A=1", "unset A", "echo [$A]"], ["", "", "[]"]],
    [
      "other variables, functions and options are not",
      ["A=1; f() { echo f; }; set -u", "echo [$A]; f 2>/dev/null; echo $?"],
      ["", "[]|127"],
    ],
    ["cd - knows where the last command came from", ["cd src", "cd - > /dev/null; pwd"], ["", "/project"]],
    ["programs get what was exported and nothing else", ["export A=1; B=2", "B=3; bash -c 'echo $A$B'"], ["", "1"]],
  ])("%s", async (_, commands, expected) => {
    expect(await printed(one(...commands))).toEqual(expected);
  });

  test("what was exported stays as it was when it becomes too much, and the command says so", async () => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker });
    await run("export A=1; cd /tmp");
    const outcome = await run("export B=xxxxxxxx; for i in {1..17}; do B=$B$B; done; cd /; echo ${#B}");
    expect(outcome).toMatchObject({ stdout: "1048576\n", exitCode: 0 });
    expect(outcome.stderr).toBe("vibey: what is exported takes more than 1 MB, so the next command has what was exported before\n");
    expect((await run("pwd; echo [$A$B]")).stdout).toBe("/\n[1]\n");
    sandbox.dispose();
  });

  test("and not from one session to another", async () => {
    const rows = [
      ["one", "cd src; export A=1"],
      ["two", "pwd; echo [$A]; A=2; bash -c 'echo [$A]'"],
      ["one", "pwd; echo $A"],
    ] as const;
    expect(await printed(rows)).toEqual(["", "/project|[]|[]", "/project/src|1"]);
  });
});

describe("background jobs", () => {
  test("that still run at the end are stopped, and the result says so", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    const outcome = await run("(echo before; sleep 60; echo after) & echo x > f; sleep 60 & echo $! $!");
    expect(outcome).toMatchObject({ stdout: expect.stringMatching(/^(\d+) \1\nbefore\n$/), exitCode: 0, limit: null, aborted: false });
    expect(outcome.stderr).toContain("2 background jobs still ran at the end of the command and were stopped");
    expect(outcome.ms).toBeLessThan(20_000);
  });

  test.each<[string, string]>([
    ["(echo job) & echo first; wait", "first|job"],
    ["echo a & wait; echo b", "a|b"],
    ["f() { echo in f $1; }; x=2; f $x & wait", "in f 2"],
    ["(exit 3) & wait %1; echo $?", "3"],
    ["sleep 60 & kill -0 $! && echo alive; kill $!; kill -0 $! 2>/dev/null || echo dead", "alive|dead"],
    ["wait 4242 2>/dev/null; echo $?", "127"],
    ["x=$(echo inner & wait); echo $x", "inner"],
    ["(trap 'echo bye' TERM; echo listening; > up; sleep 60) & until [ -e up ]; do sleep 0.01; done; echo main", "main|listening|bye"],
    ["exec > >(cat) 2>&1 || echo refused; echo hi", "refused|hi"],
    ["echo a > /dev/fd/1; echo b > /proc/self/fd/1; echo c > /dev/tty; echo $?", "a|b|1"],
    ["echo late &", "late"],
  ])("%s", async (command, stdout) => {
    expect(await printed(one(command))).toEqual([stdout]);
  });
});

describe("a job that runs at the end of its command", () => {
  const whenUp = "until [ -e up ]; do sleep 0.01; done";
  test.each<[what: string, command: string, stdout: string, left: string]>([
    ["runs no more of itself", `(> up; sleep 60; rm up) & ${whenUp}`, "", "up"],
    ["nor after a pipe", `(> up; sleep 60 | cat; rm up) & ${whenUp}`, "", "up"],
    ["nor when it ignores the signal", `(trap '' TERM; > up; sleep 60; rm up) & ${whenUp}`, "", "up"],
    ["nor when a script in it does", `bash -c "trap '' TERM; > up; sleep 60; rm up" & ${whenUp}`, "", "up"],
    [
      "runs its trap, and nothing after it",
      `(trap 'echo bye; (> down); > "$(echo end)"' TERM; > up; sleep 60; rm up) & ${whenUp}`,
      "bye",
      "down end up",
    ],
    ["nor in a shell of its own", `(trap 'echo bye' TERM; > up; (sleep 60; rm up); rm up) & ${whenUp}`, "bye", "up"],
    ["nor after a loop", `(trap 'echo bye' TERM; > up; while sleep 60; do :; done; rm up) & ${whenUp}`, "bye", "up"],
    ["nor in its list", `(trap 'echo bye' TERM; > up; sleep 60 || rm up) & ${whenUp}`, "bye", "up"],
    ["and its EXIT trap", `(trap 'echo bye' TERM; trap 'echo out' EXIT; > up; sleep 60; rm up) & ${whenUp}`, "bye|out", "up"],
    [
      "gets one signal",
      `node -e 'let n = 0; const put = (name) => fs.writeFileSync(name, ""); process.on("SIGTERM", () => put("got" + ++n)); put("up"); setInterval(() => {}, 1e3)' & ${whenUp}`,
      "",
      "got1 up",
    ],
  ])("%s", async (_, command, stdout, left) => {
    const { run, sandbox } = await project({ createWorker: loopbackWorker });
    const outcome = await run(command);
    sandbox.dispose();
    expect(outcome.stdout.trimEnd().replaceAll("\n", "|")).toBe(stdout);
    expect(outcome.changes.flatMap(({ path, bytes }) => (bytes === null ? [] : [path])).toSorted()).toEqual(left.split(" "));
  });
});

describe("a file's first line", () => {
  test.each<[line: string, script: string, stdout: string]>([
    ["#!/bin/bash -E", "trap 'echo trapped' ERR; f() { false; echo in f; }; f; echo after", "trapped|in f|after"],
    ["#!/bin/bash -eE", 'echo "$1"; false; echo never', "a b"],
    ["#!/bin/bash -p", 'echo "$1"', "a b"],
    ["#!/bin/bash -r", 'echo "$1"', "a b"],
    ["#!/usr/bin/env -S bash -Eeuo pipefail", 'echo "$1"; false | cat; echo never', "a b"],
    ["#!/bin/bash -TBHP", 'echo "$1" {c,d}', "a b c d"],
  ])("%s", async (line, script, stdout) => {
    const text = `${line}\n${script}\n`.replaceAll("'", "'\\''");
    expect(await printed(one(`printf '%s' '${text}' > s; chmod +x s; ./s 'a b' 2>&1`))).toEqual([stdout]);
  });
});

describe("traps", () => {
  test.each<[string, string]>([
    ["t=1; trap 'echo $t $?' EXIT; t=2; exit 5", "2 5"],
    ["trap 'echo last' EXIT; f() { exit 1; }; f; echo never", "last"],
    ["trap 'exit 9' EXIT; true", ""],
    ["trap 'echo x' INT TERM; echo y", "y"],
    ["trap 'echo x' EXIT; trap -p", "trap -- 'echo x' EXIT|x"],
  ])("%s", async (command, stdout) => {
    expect(await printed(one(command))).toEqual([stdout]);
  });

  test("keep the command's exit code, unless they exit with another", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    expect((await run("trap 'false' EXIT; exit 3")).exitCode).toBe(3);
    expect((await run("trap 'exit 9' EXIT; exit 3")).exitCode).toBe(9);
  });

  test("that are not supported say so", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    expect(await run("trap 'echo x' DEBUG")).toMatchObject({
      exitCode: 1,
      stderr: "bash: trap: DEBUG is not supported here; use set -x, or an echo where you need it\n",
    });
  });
});

describe("what the model is told", () => {
  test("names every command that is there, and the table of those that are not here names none of them", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    const missing = async (names: readonly string[]): Promise<string> =>
      (await run(`for c in ${names.join(" ")}; do command -v "$c" > /dev/null || echo "$c"; done`)).stdout;
    expect(await missing(toldCommands)).toBe("");
    expect((await run(`for c in ${namesNotHere.join(" ")}; do command -v "$c"; done`)).stdout).toBe("");
    expect(namesNotHere.filter((name) => toldCommands.includes(name) || untoldCommands.includes(name))).toEqual([]);
    const there = (await run("ls /usr/bin")).stdout.split("\n").filter((name) => name !== "" && !name.startsWith("__vibey"));
    expect(there.length).toBeGreaterThan(80);
    expect(there.filter((name) => !toldCommands.includes(name) && !untoldCommands.includes(name))).toEqual([]);
    for (const name of toldCommands) expect(about.quickjs).toContain(` ${name}`);
  });

  test("says of node what is true on the engine that runs it, and all else alike", () => {
    const nodeOf = (text: string): string => /^- `node` .*$/m.exec(text)?.[0] ?? "";
    expect(nodeOf(about.quickjs)).toMatch(/QuickJS.*Not there: worker threads/);
    expect(nodeOf(about.browser)).toMatch(/the browser's own engine.*worker threads.*WebAssembly.*Not there: `execSync`/);
    expect(nodeOf(about.browser)).not.toContain("QuickJS");
    expect(about.browser.replace(nodeOf(about.browser), "")).toBe(about.quickjs.replace(nodeOf(about.quickjs), ""));
  });

  test("says what a missing command is replaced by, in the words that the shell uses", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    for (const [names, why] of instead) {
      const [name = ""] = names.split(" ");
      expect(await run(name)).toMatchObject({ exitCode: 127, stderr: `bash: ${name}: command not found: ${why}\n` });
      expect(about.quickjs).toContain(why);
    }
  });

  test("names git's commands: each is there, and each that is not says what to use", async () => {
    const { run } = await project({ createWorker: loopbackWorker });
    expect((await run("git --help")).stdout).toContain(`   ${gitNames.join(" ")}\n`);
    expect(about.quickjs).toContain(gitNames.join(" "));
    for (const name of gitNames) expect((await run(`git ${name}`)).stderr).not.toMatch(/is not a git command|Vibey's git has no '/);
    for (const name of absentGitCommands)
      expect(await run(`git ${name}`)).toMatchObject({
        exitCode: 128,
        stderr: expect.stringMatching(/^fatal: Vibey's git has no '[\w-]+': .+\n$/),
      });
  });
});
