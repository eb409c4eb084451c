import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { isLong } from "../../long.ts";
import { hasGit, type Machine, ourMachine, printed, type RealMachine, realMachine } from "./machine.ts";
import { sequences } from "./sequences.ts";

/** Read-only commands that show everything about a repository. */
const readings = [
  "git log --all --format='%H %P %T %an %ae %at %s%n%b'",
  "git ls-files -s",
  "git branch -v",
  "git tag",
  "git status --porcelain",
  "git ls-tree -r HEAD",
];

/** Sequences that leave their repositories in subfolders of the first. */
const nested = new Set(["a clone of a folder whose history is cut off"]);

/** Every sequence is compared with what git once printed, in `recorded.test.ts`. These few, and in a long run all, are also run by this machine's git. */
const always = new Set([
  "first steps",
  "changes and diffs",
  "branches and merges",
  "rebase",
  "stash",
  "a worktree whose folder is another one now",
]);
const chosen = Object.entries(sequences).filter(([name]) => isLong || always.has(name));

async function readAlike(ours: Machine, real: Machine): Promise<void> {
  for (const line of readings) {
    const [our, their] = await Promise.all([ours.run(line), real.run(line)]);
    expect([line, our.stdout]).toEqual([line, their.stdout]);
  }
}

/** Git accepts the results of our commands and reads them as we do. */
async function readByGit(ours: Machine): Promise<void> {
  const real = realMachine();
  try {
    real.put(await ours.files());
    execFileSync("git", ["-C", real.folder, "init", "-q"]);
    expect(await real.run("git fsck --strict --no-dangling 2>&1")).toMatchObject({ stdout: "", exitCode: 0 });
    await real.run("git config core.fileMode false");
    await readAlike(ours, real);
  } finally {
    real.end();
  }
}

/** We read the results of git's commands as git does. */
async function readByUs(real: RealMachine): Promise<void> {
  const ours = ourMachine();
  // A clone gets packed objects and refs.
  await real.run("git gc -q; git config core.fileMode false");
  await ours.put(await real.files());
  await readAlike(ours, real);
}

describe.skipIf(!hasGit)("prints what git prints, and each reads the other's repository (skipped where git is not installed)", () => {
  test.for(chosen)("%s", async ([name, lines]) => {
    const ours = ourMachine();
    const real = realMachine();
    try {
      // At the same time: ours keeps this process busy, and the real one is waited for.
      const [our, their] = await Promise.all([printed(ours, lines), printed(real, lines)]);
      expect(our).toEqual(their);
      if (nested.has(name)) return;
      await readByGit(ours);
      await readByUs(real);
    } finally {
      real.end();
    }
  });
});
