import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createShellWorker } from "../../src/engine/sandbox/create-worker.ts";
import { aboutEmbedded } from "../../src/engine/sandbox/embedded/about.ts";
import { canonical } from "../../src/fs/path.ts";
import { absent, attacks, commands, commandsProject } from "./commands.ts";
import { project, type TestProject } from "./project.ts";

let here: TestProject;
beforeAll(async () => {
  here = await project({ createWorker: createShellWorker, contents: commandsProject });
});
afterAll(() => here.sandbox.dispose());

describe("commands that agents type", () => {
  test.each(commands)("%s", async (command, stdout) => {
    const outcome = await here.run(command, { session: command });
    expect(outcome).toMatchObject({ stdout, stderr: "", limit: null, aborted: false, changes: [] });
  });
});

describe("commands that are not there", () => {
  test.each(absent)("%s", async (command) => {
    const outcome = await here.run(`${command} x`, { session: command });
    expect(outcome).toMatchObject({ stdout: "", stderr: `bash: ${command}: command not found\n`, exitCode: 127 });
    expect((await here.run(`command -v ${command}`)).exitCode).toBe(1);
  });

  test("the shell knows every command that the model is told of, and the model is told of none that is missing", async () => {
    const listed = /^- Commands: (.*?), and bash's own/m.exec(aboutEmbedded)?.[1]?.split(" ") ?? [];
    expect(listed.length).toBeGreaterThan(50);
    const outcome = await here.run(`for c in ${listed.join(" ")}; do command -v $c > /dev/null || echo $c; done`);
    expect(outcome.stdout).toBe("");
    const lacking = /^- Not there: (.*)$/m.exec(aboutEmbedded)?.[1] ?? "";
    for (const command of ["curl", "node", "npm", "git", "tar", "gzip", "mktemp"]) expect(lacking).toContain(command);
  });
});

describe("a dialog is written by Vibey alone", () => {
  const dialog = "vibey/dialog-20260101-000000-start-done.md";

  test.each(attacks)("%s", async (attack) => {
    const outcome = await here.run(attack.replaceAll("DLG", dialog), { session: attack });
    expect(outcome.changes.filter(({ path }) => canonical(path).startsWith("vibey/dialog-"))).toEqual([]);
    expect(outcome.stderr).not.toBe("");
    expect((await here.run(`cat ${dialog}; ls vibey`)).stdout).toBe(
      "# Dialog\n> Format: 1\ndialog-20260101-000000-start-done.md\ndoc-main.md\n",
    );
  });

  test("an attempt says why it failed, and the script goes on", async () => {
    const outcome = await here.run(`rm -rf vibey; echo $?; echo x > ${dialog} || echo refused`);
    expect(outcome.stdout).toBe("1\nrefused\n");
    expect(outcome.stderr).toContain(`${dialog} is read-only: a dialog is written by Vibey alone`);
  });
});
