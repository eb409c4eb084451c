import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createShellWorker } from "../../src/shell/create-worker.ts";
import { aboutEmbedded } from "../../src/shell/embedded/about.ts";
import { canonical } from "../../src/fs/path.ts";
import { absent, attacks, commands, commandsProject } from "./commands.ts";
import { project, type TestProject } from "./project.ts";

let here: TestProject;
beforeAll(async () => {
  here = await project({ createWorker: createShellWorker, contents: commandsProject });
});
afterAll(() => here.sandbox.dispose());

/** A session has its own worker, which takes a second to start, so only commands that leave the folder get their own session. */
const sessionOf = (command: string): string => (/\bcd\b/.test(command) ? command : "one");

describe("commands that agents type", () => {
  test.each(commands)("%s", async (command, stdout) => {
    const outcome = await here.run(command, { session: sessionOf(command) });
    expect(outcome).toMatchObject({ stdout, stderr: "", limit: null, aborted: false, changes: [] });
  });
});

describe("commands whose code is fetched when they are called", () => {
  test.each([
    ["tar -czf /tmp/a.tgz src && tar -tzf /tmp/a.tgz | sort", "src/\nsrc/game.ts\nsrc/ui/\nsrc/ui/view.ts\n"],
    ["cd /tmp; echo hi > run.txt; zip -q a.zip run.txt && unzip -p a.zip run.txt", "hi\n"],
    ["gzip -c README.md | zcat | head -1", "# Game\n"],
    ["node -p '[1, 2].map((x) => x * 2)'", "[ 2, 4 ]\n"],
    [
      "cd /tmp; echo 'const a: number = 1; import fs from \"node:fs\"; console.log(a, typeof fs.readFileSync)' > a.mts; node a.mts",
      "1 function\n",
    ],
    ['echo \'a b\' | node -e \'console.log(require("fs").readFileSync(0, "utf8").split(" ").length)\'', "2\n"],
    ['node -e \'setTimeout(() => require("child_process").exec("echo $((1 + 2))", (e, out) => process.stdout.write(out)), 1)\'', "3\n"],
    ["node -e 'try { (function f() { f() })() } catch (e) { console.log(e.name) }'", "RangeError\n"],
    ["diff <(echo a) <(echo b)", "1c1\n< a\n---\n> b\n"],
    ["cd /tmp; echo old > p; printf -- '--- p\\n+++ p\\n@@ -1 +1 @@\\n-old\\n+new\\n' | patch; cat p", "patching file p\nnew\n"],
  ])("%s", async (command, stdout) => {
    expect(await here.run(command, { session: sessionOf(command) })).toMatchObject({ stdout, changes: [] });
  });
});

test("a job that computes for ever does not hold the command", async () => {
  const outcome = await here.run("while :; do :; done & echo started", { session: "job" });
  expect(outcome).toMatchObject({ stdout: "started\n", exitCode: 0, limit: null });
  expect(outcome.stderr).toContain("a background job still ran");
});

test("an option's name that is none is refused and not run", async () => {
  const outcome = await here.run(
    `bash -O "x'; echo inside; '" -c 'echo ran'; bash -o 'foo bar' -c 'echo ran'; bash -o pipefail -c 'false | true'`,
  );
  expect(outcome).toMatchObject({
    stdout: "",
    stderr: "bash: x'; echo inside; ': invalid shell option name\nbash: foo bar: invalid option name\n",
    exitCode: 1,
  });
});

describe("commands that are not there", () => {
  test("say what to do instead", async () => {
    const outcome = await here.run("sudo apt install jq; command -v sudo");
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toBe("bash: sudo: command not found: there are no other users here; run the command itself\n");
  });

  test.each(absent)("%s", async (command, instead) => {
    const outcome = await here.run(`${command} x`, { session: sessionOf(command) });
    expect(outcome).toMatchObject({ stdout: "", stderr: `bash: ${command}: command not found${instead}\n`, exitCode: 127 });
    expect((await here.run(`command -v ${command}`)).exitCode).toBe(1);
  });

  test("the shell knows every command that the model is told of, and the model is told of none that is missing", async () => {
    const listed = /^- Commands: (.*?), and bash's own/m.exec(aboutEmbedded.quickjs)?.[1]?.split(" ") ?? [];
    expect(listed.length).toBeGreaterThan(50);
    const outcome = await here.run(`for c in ${listed.join(" ")}; do command -v $c > /dev/null || echo $c; done`);
    expect(outcome.stdout).toBe("");
    const lacking = /^- Not there \(.*?\): (.*)$/m.exec(aboutEmbedded.quickjs)?.[1] ?? "";
    for (const command of ["ssh", "make", "conda", "sudo"]) expect(lacking).toContain(command);
  });
});

describe("only Vibey writes dialogs", () => {
  const dialog = "vibey/dialog-20260101-000000-start-done.md";

  test.each(attacks)("%s", async (attack) => {
    const outcome = await here.run(attack.replaceAll("DLG", dialog), { session: sessionOf(attack) });
    expect(outcome.changes.filter(({ path }) => canonical(path).startsWith("vibey/dialog-"))).toEqual([]);
    expect(outcome.stderr).not.toBe("");
    expect((await here.run(`cat ${dialog}; ls vibey`)).stdout).toBe(
      "# Dialog\n> Format: 1\ndialog-20260101-000000-start-done.md\ndoc-main.md\n",
    );
  });

  test("an attempt says why it failed, and the script goes on", async () => {
    const outcome = await here.run(`rm -rf vibey; echo $?; echo x > ${dialog} || echo refused`);
    expect(outcome.stdout).toBe("1\nrefused\n");
    expect(outcome.stderr).toContain(`${dialog} is read-only: only Vibey writes dialogs`);
  });
});
