import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isCovered, isPathPattern, withinPaths } from "../../src/dialog/agent-paths.ts";
import { lawRuns } from "../law-runs.ts";

test.each([
  ["artifacts/**", "artifacts/a/b.md", true],
  ["artifacts/**", "artifacts.md", false],
  ["artifacts/*", "artifacts/a", true],
  ["artifacts/*", "artifacts/a/b", false],
  ["*.md", "a.md", true],
  ["*.md", "x/a.md", false],
  ["**/*.md", "x/y/a.md", true],
  ["a", "a", true],
  ["a", "ab", false],
])("%s covers %s: %s", (pattern, path, is) => expect(isCovered(path, [pattern])).toBe(is));

const piece = fc.constantFrom("a", "b", "*", "**", "a*", "*b");
const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const path = fc.array(fc.constantFrom("a", "b", "ab", "aab"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const list = fc.option(fc.array(pattern, { maxLength: 3 }));

test("law: what is left within two lists is covered by both", () => {
  fc.assert(
    fc.property(list, list, path, (inner, outer, one) => {
      const within = withinPaths(inner, outer);
      const is = (all: readonly string[] | null) => all === null || isCovered(one, all);
      if (is(within)) expect([is(inner), is(outer)]).toEqual([true, true]);
    }),
    lawRuns(500),
  );
});

test("a pattern holds no space, comma or way up that a header could take for something else", () => {
  for (const text of ["a b", "a,b", "", "/a", "a//b", "x".repeat(81)]) expect(isPathPattern(text)).toBe(false);
});
