import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ShellDone } from "../../../../src/shell/embedded/protocol.ts";
import { createProcesses } from "../../../../src/shell/webcontainer/script/programs/processes.ts";
import { serve } from "../../../../src/shell/webcontainer/script/serve.ts";
import { absent, attacks, commands, commandsProject } from "../../commands.ts";
import { suite, suiteFiles } from "../../suite/cases.ts";
import { differences, type Result } from "../../suite/compare.ts";
import { builtScript, removeBuilt, runMessage, runScript, testContainer, type TestContainer } from "./harness.ts";

/**
 * The commands of the embedded shell, on real files. Each runs in the script's shell, but every eighth (every one with VIBEY_EVERY_PROCESS=1)
 * in a process of the built script, which takes a fifth of a second.
 */
const every = process.env["VIBEY_EVERY_PROCESS"] === "1" ? 1 : 8;
let count = 0;

async function run(container: TestContainer, command: string): Promise<ShellDone> {
  if (count++ % every === 0) return (await runScript(container, command)).done;
  const processes = createProcesses();
  const served = await serve({ project: container.project, variables: container.variables, processes, post: () => undefined });
  return served.run(runMessage(command, container));
}

/** Commands name the project's folder and /tmp; both are mapped to the test's own folders. */
const there = (container: TestContainer, text: string): string =>
  text.replaceAll("/project", container.project).replaceAll(/(?<![\w/])\/tmp\//g, `${container.root}/tmp/`);
const back = (container: TestContainer, text: string): string => text.replaceAll(container.project, "/project");

async function inFresh<T>(files: Readonly<Record<string, string>>, work: (container: TestContainer) => Promise<T>): Promise<T> {
  const container = testContainer(files);
  try {
    return await work(container);
  } finally {
    container.remove();
  }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a file of our own.
const recorded = JSON.parse(await readFile(new URL("../../suite/recorded.json", import.meta.url), "utf8")) as Record<string, Result>;
const page = await readFile(new URL("../../../../docs/sandbox.md", import.meta.url), "utf8");
/** The commands for which the shell differs from bash everywhere. */
const listed = new Set([...page.matchAll(/^\| `` (.+) `` \|/gm)].map((found) => (found[1] ?? "").replaceAll("\\|", "|")));
/** The shell's own jq is WebAssembly, which a container's shell doesn't have. just-bash's jq differs in these. */
const ofJqAlone = /jq .*(?:@csv|@sh|--stream)/;

beforeAll(async () => {
  await builtScript();
  return removeBuilt;
}, 120_000);

describe.each(Object.entries(suite))("%s", (_, rows) => {
  test.each(rows)("%s", async (command) => {
    const expected = recorded[command];
    const ours = await inFresh(suiteFiles, async (container) => {
      const { stdout, stderr, exitCode } = await run(container, there(container, command));
      expect(stderr, "nothing was refused").not.toMatch(/is one of the shell's own files/);
      return { stdout: back(container, stdout), exitCode, files: differences(container.files()) };
    });
    if (listed.has(command) || ofJqAlone.test(command)) expect(ours, "it is said to be different").not.toEqual(expected);
    else expect(ours).toEqual(expected);
  });
});

describe("the commands of agents", () => {
  let container: TestContainer;
  beforeAll(() => {
    container = testContainer(commandsProject);
  });
  afterAll(() => container.remove());

  test.each(commands)("%s", async (command, stdout) => {
    const done = await run(container, there(container, command));
    expect(back(container, done.stdout)).toBe(stdout);
    expect(done.stderr, "nothing was refused").not.toMatch(/^vibey:/m);
  });

  test.each(absent)("%s is not there, though the machine may have it elsewhere", async (name) => {
    const done = await run(container, `${name} -v`);
    expect(done).toMatchObject({ exitCode: 127, stderr: expect.stringContaining(`${name}: command not found`) });
  });
});

const dialog = "vibey/dialog-20260101-000000-start-done.md";

describe("dialogs are not changed", () => {
  // One of them would be a disaster if it were not refused. Removing files above the project is tested below, where it can do no harm.
  test.each(attacks.filter((attack) => attack !== "rm -rf /"))("%s", async (attack) => {
    await inFresh(commandsProject, async (container) => {
      const done = await run(container, there(container, attack.replaceAll("DLG", dialog)));
      const files = container.files();
      const ofDialogs = [...files].filter(([name]) => /^vibey[^/]*[/\\]?.?d.?ialog/i.test(name));
      expect(ofDialogs.map(([name, bytes]) => [name, new TextDecoder().decode(bytes)])).toEqual([[dialog, commandsProject[dialog]]]);
      expect(done.stderr).not.toContain("internal error");
    });
  });

  test("its time stays", async () => {
    await inFresh(commandsProject, async (container) => {
      const done = await run(container, `touch -d 2001-01-01 ${dialog}; stat -c %Y ${dialog}`);
      expect(Number(done.stdout)).toBeGreaterThan(1_500_000_000);
    });
  });

  test("what is above the project stays", async () => {
    await inFresh(commandsProject, async (container) => {
      const done = await run(
        container,
        `rm -rf ${container.root}/home; echo $?; rm -rf ..; rmdir ..; mv ${container.root}/home ${container.root}/away`,
      );
      expect(done.stdout).toBe("1\n");
      expect(done.stderr).toContain("stays");
      expect(container.files().size).toBe(Object.keys(commandsProject).length);
    });
  });
});
