import { describe, expect, test } from "vitest";
import { isVibeyName, nameOf, vibeyPath } from "../../src/fs/vibey-name.ts";
import { path } from "./notation.ts";

describe("the names in vibey/", () => {
  test.each(["doc-main.md", "dialog-20261121-201100-game-waiting.md", "A_b-9.x.md", ".md", `${"x".repeat(1015)}.md`])(
    "%j is one",
    (name) => {
      expect(isVibeyName(name)).toBe(true);
      expect(vibeyPath(name)).toBe(`vibey/${name}`);
      expect(nameOf(vibeyPath(name))).toBe(name);
    },
  );

  test.each([
    "",
    "doc-main",
    "doc-main.MD",
    "doc-main.md.txt",
    "doc-main.md\n",
    "\ndoc-main.md",
    "a..md",
    "../a.md",
    "a/b.md",
    "a b.md",
    "ä.md",
    "a\0.md",
    "%2e.md",
    `${"x".repeat(1016)}.md`,
  ])("%j is none", (name) => {
    expect(isVibeyName(name)).toBe(false);
    expect(() => vibeyPath(name)).toThrow(RangeError);
  });

  test.each(["doc-main.md", "vibey/a/b.md", "Vibey/a.md", "vibey/a.txt", "x/vibey/a.md", "vibey"])("%j is the path of none", (text) => {
    expect(nameOf(path(text))).toBeNull();
  });
});
