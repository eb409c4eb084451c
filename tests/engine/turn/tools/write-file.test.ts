import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeFile } from "../../../../src/engine/turn/tools/write-file.ts";
import { path } from "../../../fs/notation.ts";
import { filesOf, textAt, use } from "./project.ts";

describe("check", () => {
  test.each([
    [{}, "path is missing: expected a string"],
    [{ path: "a" }, "content is missing: expected a string"],
    [{ content: "x" }, "path is missing: expected a string"],
    [{ path: 1, content: "" }, "path: expected a string, found a number"],
    [{ path: "a", content: null }, "content: expected a string, found null"],
    [{ path: "a", content: ["x"] }, "content: expected a string, found an array"],
    [{ path: "a", content: { text: "x" } }, "content: expected a string, found an object"],
    [{ path: "a", content: "x\ud800" }, "content is not well-formed Unicode: half a surrogate pair at 1"],
    [JSON.parse('{"__proto__": {"path": "a"}, "content": "x"}'), "path is missing: expected a string"],
  ])("%j: %s", (input, fault) => {
    expect(writeFile.check(input)).toBe(fault);
  });

  test("ignores fields that it does not know", () => {
    expect(writeFile.check({ path: "a", content: "", description: "why", mode: 7 })).toBe(null);
  });
});

test("the definition names the two fields of the specification", () => {
  expect(writeFile.definition).toMatchObject({ name: "write_file", inputSchema: { type: "object", required: ["path", "content"] } });
});

describe("plan", () => {
  test("creates a file and its folders", async () => {
    const files = await filesOf({});
    const plan = await use(writeFile, { path: "./src/new/a.ts", content: "`${x}` \"$&\" 'ä'\n" }, files);
    expect(plan.result).toEqual({ success: true, message: "File written: src/new/a.ts" });
    expect(plan.expect).toEqual([{ path: "src/new/a.ts", version: null }]);
    expect(await textAt(files, "src/new/a.ts")).toBe("`${x}` \"$&\" 'ä'\n");
  });

  test("overwrites the version that it saw, and no later one", async () => {
    const files = await filesOf({ a: "old" });
    const plan = await writeFile.plan({ path: "/project/a", content: "new" }, { files, memory: null, changedByOthers: async () => null });
    await files.commit([{ op: "write", path: path("a"), data: "meanwhile" }], { durability: "relaxed" });
    expect(await files.commit(plan.changes, { durability: "strict", expect: plan.expect })).toMatchObject({
      ok: false,
      failure: { kind: "conflict" },
    });
  });

  test("law: what was written is what is read", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (content) => {
        const files = await filesOf({ a: "old" });
        await use(writeFile, { path: "a", content }, files);
        expect(await textAt(files, "a")).toBe(content);
      }),
    );
  });

  test.each([
    ["", "path: it is empty"],
    ["../a", 'path: "../a" is outside the project'],
    ["/etc/passwd", 'path: "/etc/passwd" is outside the project: use a path relative to it, or one under /project/'],
    ["src/", 'path: "src/" names a folder, not a file'],
    ["src", "path: src is a folder"],
    ["src/a.ts/b", "path: src/a.ts is a file, so src/a.ts/b can't be in it"],
    ["a\\b", 'path: "a\\\\b" contains a backslash: folders are separated by /'],
    ["vibey/dialog-x-active.md", "path: vibey/dialog-x-active.md is read-only: only Vibey writes dialogs"],
    ["src/../Vibey//Dialog-x-active.md", "path: Vibey/Dialog-x-active.md is read-only: only Vibey writes dialogs"],
    [
      "vibey/notes.txt",
      'path: vibey/notes.txt can\'t be a file in vibey/: a name there has only letters, digits, "_", "-" and ".", ends in .md and has no ".."',
    ],
    ["Vibey/doc-main.md", "path: Vibey/doc-main.md is the same file as vibey/doc-main.md: use that"],
  ])("refuses %j", async (name, error) => {
    const files = await filesOf({ "src/a.ts": "a" });
    const plan = await use(writeFile, { path: name, content: "x" }, files);
    expect(plan).toEqual({ changes: [], expect: [], result: { success: false, error } });
    expect((await files.list()).length).toBe(1);
  });

  test("refuses a file that is too large", async () => {
    const plan = await use(writeFile, { path: "a", content: "x".repeat(64_000_001) }, await filesOf({}));
    expect(plan.result).toEqual({ success: false, error: "the file would have 64000001 bytes; a file has at most 64000000" });
  });

  test("writes doc-main.md where its authority lines stay, and tells both when they would not", async () => {
    const files = await filesOf({ "vibey/doc-main.md": "> Authorized: run_command\n# Game\n" });
    await use(writeFile, { path: "vibey/doc-main.md", content: "# Chess\n> Authorized: run_command\n" }, files);
    const plan = await use(
      writeFile,
      { path: "vibey/doc-main.md", content: "> Authorized: run_command\n> Authorized: write_file\n" },
      files,
    );
    expect(plan.changes).toEqual([]);
    expect(plan.result).toEqual({
      success: false,
      error:
        'vibey/doc-main.md: only the user can change its Authorized, Revoked, and Limit lines, in the editor. This would add "> Authorized: write_file"',
    });
    expect(plan.notice).toBe(
      'Blocked: an agent tried to add "> Authorized: write_file" in doc-main.md. Only you can do that, in the editor.',
    );
    expect(await textAt(files, "vibey/doc-main.md")).toBe("# Chess\n> Authorized: run_command\n");
  });
});
