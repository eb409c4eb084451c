import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../src/dialog/model.ts";
import { editFile } from "../../../../src/engine/turn/tools/edit-file.ts";
import { type Content, filesOf, textAt, use } from "./project.ts";

async function edit(content: Content, old: string, fresh: string): Promise<{ readonly result: Json; readonly text: string | null }> {
  const files = await filesOf({ a: content });
  const { result } = await use(editFile, { path: "a", old_string: old, new_string: fresh }, files);
  return { result, text: await textAt(files, "a") };
}

/** The result of an edit at the position of `old`, with its line. */
const applied = (before: string, old: string) => ({
  success: true,
  message: "Edit applied to a",
  line: before.slice(0, before.indexOf(old)).split("\n").length,
});

describe("check", () => {
  test.each([
    [{ path: "a", old_string: "x" }, "new_string is missing: expected a string"],
    [{ path: "a", new_string: "x" }, "old_string is missing: expected a string"],
    [{ path: "a", old_string: 1, new_string: "" }, "old_string: expected a string, found a number"],
    [{ path: "a", old_string: "\udc00", new_string: "" }, "old_string is not well-formed Unicode: half a surrogate pair at 0"],
  ])("%j: %s", (input, fault) => {
    expect(editFile.check(input)).toBe(fault);
  });
});

describe("an edit", () => {
  test.each([
    ["one two three", "two", "2", "one 2 three"],
    ["one two three", "one two three", "", ""],
    ["a\nb\nc\n", "b\n", "", "a\nc\n"],
    ["price: 5", "5", "$& $1 $` $' $$ $<x>", "price: $& $1 $` $' $$ $<x>"],
    ["a.b axb", "a.b", "c", "c axb"],
    ["\\d+ (x) [y] {z} ^|$", "(x) [y] {z} ^|$", "ok", "\\d+ ok"],
    ["grüße 你好 😀!", "你好 😀", "x", "grüße x!"],
    ["\uFEFFtext", "text", "new", "\uFEFFnew"],
    ["\uFEFFtext", "\uFEFFtext", "new", "new"],
    ["a\r\nb\r\n", "a\r\nb", "c", "c\r\n"],
    ["aab", "ab", "x", "ax"],
  ])("of %j: %j becomes %j", async (before, old, fresh, after) => {
    expect(await edit(before, old, fresh)).toEqual({ result: applied(before, old), text: after });
  });

  test("law: it is the same as cutting the file at the one occurrence", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "$", "&", "\n", "ä") });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.string({ unit: fc.constantFrom("a", "b", "$", "&", "\n", "ä"), minLength: 1, maxLength: 3 }),
        text,
        async (before, old, fresh) => {
          fc.pre(old !== fresh);
          // Counts occurrences by brute force, including overlapping ones.
          const starts = Array.from(before, (_, i) => i).filter((i) => before.startsWith(old, i));
          const { result, text: after } = await edit(before, old, fresh);
          const [start = 0] = starts;
          if (starts.length === 1)
            expect({ result, after }).toEqual({
              result: applied(before, old),
              after: before.slice(0, start) + fresh + before.slice(start + old.length),
            });
          else expect({ result, after }).toMatchObject({ result: { success: false }, after: before });
        },
      ),
    );
  });
});

describe("old_string that is not unique", () => {
  test.each([
    ["x\nx\n", "x", 2, [1, 2]],
    ["a\nb a\n\na", "a", 3, [1, 2, 4]],
    ["aaa", "aa", 2, [1]],
    ["ab\nab\n", "ab\n", 2, [1, 2]],
  ])("in %j: %j", async (content, old, times, lines) => {
    expect(await edit(content, old, "new")).toEqual({
      result: { success: false, error: `old_string found ${times} times — must be unique. Add more surrounding context.`, lines },
      text: content,
    });
  });

  test("gives the first twenty lines", async () => {
    const { result } = await edit("x\n".repeat(1000), "x", "y");
    expect(result).toMatchObject({
      error: expect.stringContaining("found 1000 times"),
      lines: Array.from({ length: 20 }, (_, i) => i + 1),
    });
  });
});

describe("old_string that is not there", () => {
  test("gets the nearest lines with their numbers", async () => {
    const content = "import x from 'x';\n\n  const total = price * count;\nreturn total;\n";
    const { result } = await edit(content, "const total = prices * counts;", "x");
    expect(result).toEqual({
      success: false,
      error: "old_string not found in file",
      nearest: [{ line: 3, text: "  const total = price * count;" }],
    });
  });

  test("gets no lines when none is like it", async () => {
    expect((await edit("alpha\nbeta\n", "something else entirely", "x")).result).toEqual({
      success: false,
      error: "old_string not found in file",
    });
  });

  test("hears that only the line ends differ", async () => {
    expect((await edit("a\r\nb\r\n", "a\nb", "x")).result).toMatchObject({
      error: "old_string not found in file",
      hint: "Only the line ends differ: this file's lines end in \\r\\n. Write \\r\\n in old_string and new_string.",
    });
    expect((await edit("a\nb\n", "a\r\nb", "x")).result).toMatchObject({
      hint: "Only the line ends differ: this file's lines end in \\n, not in \\r\\n.",
    });
  });
});

describe("refusals", () => {
  test.each([
    [
      "an empty old_string",
      { old_string: "", new_string: "x" },
      "old_string is empty: give the text to replace, or use write_file to create a file",
    ],
    ["nothing to change", { old_string: "x", new_string: "x" }, "old_string and new_string are the same: nothing to change"],
    ["a missing file", { path: "b/c" }, "path: there is no file b/c"],
    ["a binary file", { path: "nul" }, "path: nul is a binary file (not UTF-8 text), which edit_file can't change"],
    ["a file in another encoding", { path: "latin1" }, "path: latin1 is a binary file (not UTF-8 text), which edit_file can't change"],
    ["a dialog", { path: "vibey/dialog-x-done.md" }, "path: vibey/dialog-x-done.md is read-only: only Vibey writes dialogs"],
    [
      "a path outside",
      { path: "/etc/hosts" },
      'path: "/etc/hosts" is outside the project: use a path relative to it, or one under /project/',
    ],
  ])("%s", async (_, input, error) => {
    const files = await filesOf({ a: "x", nul: "x\0", latin1: new Uint8Array([120, 0xff]), "vibey/dialog-x-done.md": "x" });
    const plan = await use(editFile, { path: "a", old_string: "x", new_string: "y", ...input }, files);
    expect(plan).toEqual({ changes: [], expect: [], result: { success: false, error } });
  });

  test("a change of doc-main.md's authority lines", async () => {
    const files = await filesOf({ "vibey/doc-main.md": "# Game\n> Limit: 3\n" });
    const plan = await use(editFile, { path: "vibey/doc-main.md", old_string: "Limit: 3", new_string: "Limit: 300" }, files);
    expect(plan.result).toMatchObject({ success: false, error: expect.stringContaining('add "> Limit: 300" and remove "> Limit: 3"') });
    expect(plan.notice).toContain("Blocked: an agent tried to");
    expect(await textAt(files, "vibey/doc-main.md")).toBe("# Game\n> Limit: 3\n");
  });
});
