import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { hasGit, ourMachine, realMachine } from "./machine.ts";
import { sequences } from "./sequences.ts";

/** Read-only commands that say all there is about a repository. */
const readings = [
  "git log --all --format='%H %P %T %an %ae %at %s%n%b'",
  "git ls-files -s",
  "git branch -v",
  "git tag",
  "git status --porcelain",
  "git ls-tree -r HEAD",
];

/** These leave their repositories in folders of the first one. */
const nested = new Set(["a clone of a folder whose history is cut off"]);
const wholes = Object.entries(sequences).filter(([name]) => !nested.has(name));

describe.skipIf(!hasGit)("the repository itself (skipped where git is not installed)", () => {
  test.for(wholes)("git accepts ours and reads it as we do: %s", async ([, lines]) => {
    const ours = ourMachine();
    const real = realMachine();
    try {
      for (const line of lines) await ours.run(line);
      const files = await ours.files();
      real.put(files);
      execFileSync("git", ["-C", real.folder, "init", "-q"]);
      expect(await real.run("git fsck --strict --no-dangling 2>&1")).toMatchObject({ stdout: "", exitCode: 0 });
      await real.run("git config core.fileMode false");
      for (const line of readings) expect([line, (await ours.run(line)).stdout]).toEqual([line, (await real.run(line)).stdout]);
    } finally {
      real.end();
    }
  });

  test.for(wholes)("we read git's as git does: %s", async ([, lines]) => {
    const ours = ourMachine();
    const real = realMachine();
    try {
      for (const line of lines) await real.run(line);
      // Packed objects and refs are what a clone brings.
      await real.run("git gc -q; git config core.fileMode false");
      await ours.put(await real.files());
      for (const line of readings) expect([line, (await ours.run(line)).stdout]).toEqual([line, (await real.run(line)).stdout]);
    } finally {
      real.end();
    }
  });
});
