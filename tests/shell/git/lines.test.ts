import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { diffLines, splitLines } from "../../../src/fs/text/line-diff.ts";
import { mergeLines } from "../../../src/fs/text/merge-lines.ts";
import { unified } from "../../../src/shell/embedded/git/text/unified.ts";
import { isLong } from "../../long.ts";
import { hasGit } from "./machine.ts";

/** Few different lines, including indented and empty ones, so that there are many shortest diffs to choose from. */
const line = fc.constantFrom("a", "b", "c", "  a", "    b", "}", "", "\tc", "f()");
const text = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
  .map(([lines, ends]) => (lines.length === 0 ? "" : lines.join("\n") + (ends ? "\n" : "")));

test("a diff turns one text into the other", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [a, b] = [splitLines(before), splitLines(after)];
      const made: string[] = [];
      let at = 0;
      for (const change of diffLines(a, b)) {
        made.push(...a.slice(at, change.oldStart), ...b.slice(change.newStart, change.newStart + change.newCount));
        at = change.oldStart + change.oldCount;
      }
      expect([...made, ...a.slice(at)].join("")).toBe(after);
    }),
  );
});

test("two long texts with nothing in common take no time to speak of", () => {
  const a = Array.from({ length: 20_000 }, (_, i) => `${(i * 7919) % 4001}\n`);
  const b = Array.from({ length: 20_000 }, (_, i) => `${(i * 104_729) % 4001}\n`);
  expect(diffLines(a, b).length).toBeGreaterThan(0);
});

test("texts of more lines than a call takes arguments are merged", () => {
  const base = Array.from({ length: 200_000 }, (_, i) => `${i}\n`);
  const labels = { ours: "a", theirs: "b" };
  const merged = mergeLines(base, base.with(0, "ours\n"), base.with(base.length - 1, "theirs\n"), labels);
  expect(merged).toEqual({ lines: base.with(0, "ours\n").with(base.length - 1, "theirs\n"), conflicts: 0 });
  const conflict = mergeLines(["base\n"], base, [...base.slice(0, 2), "theirs\n"], labels);
  expect(conflict.conflicts).toBe(1);
  expect(conflict.lines).toHaveLength(200_004);
});

test("the markers of a conflict end like the lines around them", () => {
  const merged = (base: string, ours: string, theirs: string): string =>
    mergeLines(splitLines(base), splitLines(ours), splitLines(theirs), { ours: "a", theirs: "b" }).lines.join("");
  expect(merged("1\r\n2\r\n", "1\r\nx\r\n", "1\r\ny")).toBe("1\r\n<<<<<<< a\r\nx\r\n=======\r\ny\r\n>>>>>>> b\r\n");
  expect(merged("1\n2\r\n", "1\nx\r\n", "1\ny\r\n")).toBe("1\n<<<<<<< a\nx\r\n=======\ny\r\n>>>>>>> b\n");
});

describe.skipIf(!hasGit)("against git (skipped where it is not installed)", () => {
  const folder = mkdtempSync(join(tmpdir(), "vibey-lines-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** Each run starts git. */
  const runs = isLong ? 150 : 40;
  const put = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const git = (...args: string[]): string => spawnSync("git", args, { cwd: folder, encoding: "utf8" }).stdout;

  test("the same hunks", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        put("a", before);
        put("b", after);
        const printed = git("diff", "--no-index", "a", "b");
        const hunks = printed.slice(Math.max(0, printed.indexOf("\n@@") + 1));
        expect(unified(splitLines(before), splitLines(after), 3)).toBe(printed.includes("\n@@") ? hunks : "");
      }),
      { numRuns: runs, seed: 1 },
    );
  });

  // If lines repeat, about one conflict in fifty is drawn around other lines than git's. Whether there is a conflict is always the same.
  test("the same merges", () => {
    const words = fc
      .array(fc.constantFrom("a", "b", "c", "d", "e"), { maxLength: 12 })
      .map((lines) => lines.map((one) => `${one}\n`).join(""));
    fc.assert(
      fc.property(words, words, words, (base, ours, theirs) => {
        put("base", base);
        put("ours", ours);
        put("theirs", theirs);
        const wanted = git("merge-file", "-p", "-L", "HEAD", "-L", "base", "-L", "topic", "ours", "base", "theirs");
        const merged = mergeLines(splitLines(base), splitLines(ours), splitLines(theirs), { ours: "HEAD", theirs: "topic" });
        if (wanted.includes("<<<<<<< HEAD\n")) expect(merged.lines).toContain("<<<<<<< HEAD\n");
        else expect(merged.lines.join("")).toBe(wanted);
      }),
      { numRuns: runs, seed: 1 },
    );
  });
});
