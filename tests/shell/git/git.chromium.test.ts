import { afterAll, beforeAll, expect, test } from "vitest";
import { createShellWorker } from "../../../src/shell/create-worker.ts";
import { project, type TestProject } from "../project.ts";

let here: TestProject;
beforeAll(async () => {
  here = await project({ createWorker: createShellWorker, contents: { "a.txt": "one\n", "vibey/doc-main.md": "# Main\n" } });
});
afterAll(() => here.sandbox.dispose());

test("a repository lives in the project, from one command to the next and in a new worker", async () => {
  const first = await here.runAndKeep("git init && git add -A && git commit -m 'First commit' && git status --short");
  expect(first).toMatchObject({ exitCode: 0, stderr: "" });
  expect(first.stdout).toContain("[main (root-commit) ");
  const files = (await here.files.list(".git/")).map(({ path }) => path);
  expect(files).toEqual(expect.arrayContaining([".git/HEAD", ".git/config", ".git/index", ".git/refs/heads/main"]));

  await here.runAndKeep("echo two >> a.txt; git switch -qc topic; git commit -qam Second");
  const killed = await here.run("while :; do :; done", { timeoutMs: 50 });
  expect(killed.limit).toBe("time");
  const outcome = await here.run(
    "git log --format='%an: %s'; git ls-files; git diff main topic --stat; git status --short; git fsck && git frobnicate",
  );
  expect(outcome).toMatchObject({
    stdout: "Agent: Second\nAgent: First commit\na.txt\n a.txt | 1 +\n 1 file changed, 1 insertion(+)\n",
    exitCode: 1,
    stderr: "git: 'frobnicate' is not a git command. See 'git --help'.\n",
  });
});
