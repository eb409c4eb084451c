import { describe, expect, test } from "vitest";
import { type OurMachine, ourMachine } from "./machine.ts";

async function after(...lines: readonly string[]): Promise<OurMachine> {
  const machine = ourMachine();
  for (const line of lines) {
    const done = await machine.run(line);
    if (done.exitCode !== 0) throw new Error(`${line}: ${done.stdout}${done.stderr}`);
  }
  return machine;
}

describe("vibey/ is never part of a repository", () => {
  const docs = "mkdir -p vibey src/vibey; echo doc > vibey/doc-main.md; echo mine > src/vibey/a; echo b > b";

  test.for([
    ["git status --short -uall", "?? b\n?? src/vibey/a\n"],
    ["git add -A; git status --short", "A  b\nA  src/vibey/a\n"],
    ["git add .; git ls-files", "b\nsrc/vibey/a\n"],
    ["git add *; git ls-files", "b\nsrc/vibey/a\n"],
    ["git add -f vibey; git add vibey/doc-main.md; git add -f 'VIBEY/doc-main.md'; git ls-files", ""],
    ["git clean -fdxq; ls vibey", "doc-main.md\n"],
    ["git ls-files -o", "b\nsrc/vibey/a\n"],
    ["git add b; git mv b vibey/b; git ls-files", "b\n"],
    ["git check-ignore vibey/doc-main.md", "vibey/doc-main.md\n"],
  ])("%s", async ([line = "", stdout = ""]) => {
    const machine = await after(docs, "git init -q");
    expect((await machine.run(line)).stdout).toBe(stdout);
  });

  test("naming one fails and says why", async () => {
    const machine = await after(docs, "git init -q");
    expect(await machine.run("git add vibey/doc-main.md")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("never part of a repository"),
    });
    expect((await machine.run("cd vibey && git init")).exitCode).toBe(128);
  });

  test("a repository that has one keeps it in its commits and leaves the file here alone", async () => {
    // The tree is created in a subfolder, where vibey/ is an ordinary folder.
    const machine = await after(
      "mkdir -p sub/vibey; echo theirs > sub/vibey/doc-main.md; echo a > sub/a; cd sub; git init -q; git add -A; git commit -qm one; cd ..",
    );
    await machine.run("mv sub/.git .git; mv sub/a a; rm -r sub; echo ours > vibey/doc-main.md");
    expect((await machine.run("git status --short")).stdout).toBe("");
    await machine.run("git reset -q --hard; git checkout -q HEAD -- .; echo b > a; git commit -qam two");
    expect((await machine.run("cat vibey/doc-main.md; git ls-files; git show HEAD:vibey/doc-main.md")).stdout).toBe(
      "ours\na\nvibey/doc-main.md\ntheirs\n",
    );
  });
});

describe("what is not there says so", () => {
  test.for(["clone https://example.org/a.git", "fetch", "pull", "push origin main", "ls-remote"])(
    "git %s: the host may not be reached, and it says why",
    async (command) => {
      const machine = await after("git init -q -b main; git remote add origin https://example.org/a.git; git commit -qm a --allow-empty");
      const done = await machine.run(`git ${command}`);
      expect(done).toMatchObject({ stdout: "", exitCode: command === "pull" ? 1 : 128 });
      expect(done.stderr).toContain(
        "fatal: unable to access 'https://example.org/a.git/': not allowed: there is no network in this test\n",
      );
    },
  );

  test.for([
    ["git stash -p", 129],
    ["git rebase -i main", 1],
    ["git rebase --apply main", 129],
    ["git cherry-pick -e HEAD", 129],
    ["git worktree move a b", 129],
    ["git submodule add ../x", 129],
    ["git blame --reverse a", 128],
    ["git apply --3way a", 128],
    ["git am --3way a", 129],
    ["git add -i", 128],
    ["git push --mirror", 129],
    ["git clone --filter=blob:none https://example.org/a.git", 129],
    ["git clone git@example.org:a/b.git", 128],
    ["git clone ../other", 128],
    ["git frobnicate", 1],
    ["git commit --gibberish", 129],
    ["git add -e", 128],
    ["git diff --word-diff", 128],
    ["git diff --minimal", 128],
    ["git log --full-history", 128],
    ["git commit --include -m x", 129],
  ] as const)("%s: exit code %i", async ([line, exitCode]) => {
    const machine = await after("git init -q; echo a > a; git add a; git commit -qm a; echo b > a");
    const done = await machine.run(line);
    expect(done).toMatchObject({ stdout: "", exitCode });
    expect(done.stderr).not.toBe("");
  });
});

test.for([
  ["a file where the other branch has a folder", "echo mine > d", "untracked working tree files would be overwritten by checkout:\n\td\n"],
  ["a folder where the other branch has a file", "mkdir f; echo mine > f/x", "would lose untracked files in them:\n\tf\n"],
])("%s stops a checkout before it starts", async ([, put = "", why = ""]) => {
  const machine = await after(
    "git init -q; echo a > a; git add a; git commit -qm a; git checkout -q -b other; mkdir d; echo d > d/d; echo f > f; git add .; git commit -qm other; git checkout -q main",
    put,
  );
  const before = await machine.run("git status -s; cat d f/x");
  expect(await machine.run("git checkout other")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(why),
  });
  expect(await machine.run("git status -s; cat d f/x")).toEqual(before);
});

test.for([
  ["renamed on one side and removed on the other", "git mv a b; git commit -qm moved", "git rm -q a; git commit -qm gone"],
  ["renamed on both sides to different names", "git mv a b; git commit -qm moved", "git mv a c; git commit -qm elsewhere"],
  ["a file and a folder", "echo x > n; git add n; git commit -qm file", "mkdir n; echo y > n/y; git add n; git commit -qm folder"],
])("a merge that git would set files aside for is refused: %s", async ([, ours = "", theirs = ""]) => {
  const machine = await after(
    "git init -q; seq 1 20 > a; git add a; git commit -qm base; git checkout -q -b t",
    theirs,
    "git checkout -q main",
    ours,
  );
  const before = await machine.files();
  expect(await machine.run("git merge -q -m x t")).toMatchObject({ exitCode: 128, stderr: expect.stringContaining("does not merge that") });
  expect([...(await machine.files()).keys()]).toEqual([...before.keys()]);
  expect((await machine.run("git status -s")).stdout).toBe("");
});

test.for(["../keep", "config", "hooks/x", "refs/heads/../../config", "x y", "a\\\\b", "refs/", "refs/heads/./x"])(
  "no symbolic ref is written to %j, and none leads there",
  async (name) => {
    const machine = await after("git init -q; echo keep > keep; git add keep; git commit -qm one");
    const before = await machine.files();
    for (const line of [`git symbolic-ref '${name}' refs/heads/main`, `git symbolic-ref HEAD '${name}'`, `git update-ref '${name}' HEAD`])
      expect(await machine.run(line), line).toMatchObject({ stdout: "", exitCode: 128 });
    expect(await machine.files()).toEqual(before);
  },
);

test("an editor that a file of settings names is not run", async () => {
  const machine = await after(
    "git init -q; git config core.editor 'touch ran; :'; git config sequence.editor 'touch ran; :'; touch a; git add a",
  );
  for (const line of ["git commit", "git commit -qm one; git commit --amend", "git rebase -i HEAD"]) await machine.run(line);
  expect(
    (await machine.run("ls ran; git -c core.editor='sed -i 1s/one/two/' commit -q --amend --allow-empty; git log --format=%s")).stdout,
  ).toBe("two\n");
});

test("without settings the author is the agent", async () => {
  const machine = await after("git init -q; touch a; git add a");
  const names = "unset GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL;";
  await machine.run(`${names} git commit -qm one`);
  expect((await machine.run("git log --format='%an <%ae>, %cn <%ce>'")).stdout).toBe(
    "Agent <agent@vibey.invalid>, Agent <agent@vibey.invalid>\n",
  );
});

test("a change of the same size in the same moment is seen", async () => {
  const machine = await after("git init -q; echo 1 > a; git add a; git commit -qm one; echo 2 > a");
  expect((await machine.run("git status --short")).stdout).toBe(" M a\n");
  expect((await machine.run("git add a; echo 3 > a; git status --short")).stdout).toBe("MM a\n");
});

test.for(["../x", ".git", ".GIT", "..", "a/b", ".git ", ".g\u200Cit"])("a tree with the name %j is never written", async (name) => {
  const { createHash } = await import("node:crypto");
  const { deflateSync } = await import("node:zlib");
  const machine = await after("git init -q; echo x > x; git add x; git commit -qm one");
  const blob = (await machine.run("git rev-parse HEAD:x")).stdout.trim();
  const put = async (type: string, body: Buffer): Promise<string> => {
    const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
    const oid = createHash("sha1").update(whole).digest("hex");
    await machine.put(new Map([[`.git/objects/${oid.slice(0, 2)}/${oid.slice(2)}`, new Uint8Array(deflateSync(whole))]]));
    return oid;
  };
  const tree = await put("tree", Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(blob, "hex")]));
  const commit = await put("commit", Buffer.from(`tree ${tree}\nauthor A <a> 0 +0000\ncommitter A <a> 0 +0000\n\nbad\n`));
  const before = [...(await machine.files()).keys()];
  for (const line of [`git checkout ${commit}`, `git reset --hard ${commit}`, `git merge --allow-unrelated-histories ${commit}`]) {
    expect(await machine.run(line)).toMatchObject({ exitCode: 128, stderr: expect.stringContaining("can't be a file's name") });
  }
  expect([...(await machine.files()).keys()]).toEqual(before);
});

/** Recorded with git 2.39.5, for machines without git. */
test.for([
  ["git log --oneline", "6aabedf two\n545cd2e one\n"],
  [
    "git status",
    'On branch main\nChanges not staged for commit:\n  (use "git add <file>..." to update what will be committed)\n  (use "git restore <file>..." to discard changes in working directory)\n\tmodified:   a\n\nno changes added to commit (use "git add" and/or "git commit -a")\n',
  ],
  ["git diff", "diff --git a/a b/a\nindex 1191247..01e79c3 100644\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n 1\n 2\n+3\n"],
  ["git diff HEAD~1 --stat", " a | 2 ++\n 1 file changed, 2 insertions(+)\n"],
  ["git commit -am three", "[main d5497bd] three\n 1 file changed, 1 insertion(+)\n"],
])("%s prints what git printed", async ([line = "", stdout = ""]) => {
  const machine = await after("git init -q; echo 1 > a; git add a; git commit -qm one", "echo 2 >> a; git commit -qam two", "echo 3 >> a");
  expect((await machine.run(line)).stdout).toBe(stdout);
});
