import { expect, test } from "vitest";
import { limits } from "../../../../src/protocol/limits.ts";
import { mentions } from "../../../../src/engine/turn/tools/mentions.ts";
import { shownChanges } from "../../../../src/engine/turn/tools/changes.ts";
import { path } from "../../../fs/notation.ts";

test.each([
  ["cat a.ts", "a.ts", true],
  ["cat src/a.ts", "src/a.ts", true],
  ["cd src && cat a.ts", "src/a.ts", true],
  ["cat ./a.ts|head", "a.ts", true],
  ["cat 'a b.txt'", "a b.txt", true],
  ["cat a.tsx a.ts", "a.ts", true],
  ["cat grüße", "grüße", true],
  ["cat a.tsx", "a.ts", false],
  ["cat aa.ts", "a.ts", false],
  ["cat a.ts.bak", "a.ts", false],
  ["cat ba.ts é.a.ts", "a.ts", false],
  ["ls", "a.ts", false],
])("%j names %s: %s", (command, name, named) => {
  expect(mentions(command, path(name))).toBe(named);
});

const lines = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join("");

test.each([
  ["a change", "a\nb\n", "a\nc\n", "--- x\n+++ x\n@@ -1,2 +1,2 @@\n a\n-b\n+c"],
  ["a new file", null, "a\n", "--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a"],
  ["a text that was not kept", undefined, "a\n", null],
  ["a file that is no text any more", "a\n", null, null],
  ["more than is compared", lines(limits.diffEdits, "a"), lines(limits.diffEdits, "b"), null],
])("%s is shown as a unified difference, or not", (_title, before, now, shown) => {
  expect(shownChanges("x", before, now)).toBe(shown);
});

test("a long one is cut at a line's end, and says so", () => {
  const shown = shownChanges("x", "", lines(1000, "word")) ?? "";
  expect(shown.length).toBeLessThanOrEqual(limits.diffShown + 50);
  expect(shown).toMatch(/\n\+word \d+\n… cut here: read the file for the rest$/);
});
