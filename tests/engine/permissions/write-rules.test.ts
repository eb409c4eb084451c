import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agentPath, dialogRefusal, guardMainDoc, writeRefusal } from "../../../src/protocol/write-rules.ts";
import { canonical } from "../../../src/fs/path.ts";
import { path } from "../../fs/notation.ts";

describe("agentPath", () => {
  test.each([
    ["src/a.ts", "src/a.ts"],
    ["./src/a.ts", "src/a.ts"],
    ["src/../b", "b"],
    ["src//a", "src/a"],
    ["src/./a", "src/a"],
    ["/project/src/a", "src/a"],
    ["/project//src/../a", "a"],
    ["project/a", "project/a"],
    ["cafe\u0301", "caf\u00e9"],
    [" a ", " a "],
    ["...", "..."],
    [".gitignore", ".gitignore"],
  ])("%j is %j", (text, expected) => {
    expect(agentPath(text)).toEqual({ ok: true, path: expected });
  });

  test.each([
    ["", "it is empty"],
    ["..", "is outside the project"],
    ["../a", "is outside the project"],
    ["a/../../b", "is outside the project"],
    ["/project/../a", "is outside the project"],
    ["/etc/passwd", "is outside the project"],
    ["/projectx/a", "is outside the project"],
    ["//project/a", "is outside the project"],
    ["/", "is outside the project"],
    ["/project", "names a folder"],
    ["/project/", "names a folder"],
    [".", "names a folder"],
    ["a/", "names a folder"],
    ["a/.", "names a folder"],
    ["a/b/..", "names a folder"],
    ["a\\b", "contains a backslash"],
    ["a\0b", "contains a NUL"],
    ["x".repeat(1025), "longer than 1024"],
  ])("%j is refused", (text, why) => {
    const named = agentPath(text);
    expect(named).toMatchObject({ ok: false, why: expect.stringContaining(why) });
  });
});

const dialog = "vibey/dialog-20260101-000000-start-done.md";

describe("writeRefusal", () => {
  test.each(["vibey/agent-x.md", "vibey/Agent-x.md", "VIBEY/agent-x.md", "vibey/agent-_fork-resolver.md"])("%s is the user's", (text) => {
    expect(writeRefusal(path(text))).toContain("only the user writes the files of their agents");
  });

  test.each([
    "a",
    "src/vibey/dialog-x.md",
    "vibeyx/dialog-x.md",
    "vibey-notes.md",
    "vibey/doc-main.md",
    "vibey/doc-a.b_c.md",
    "vibey/notes.md",
    "vibey/dialogs.md",
    ".git/config",
  ])("%j may be written", (name) => {
    expect(writeRefusal(path(name))).toBe(null);
  });

  test.each([
    dialog,
    "vibey/dialog-",
    "vibey/dialog-x/y.md",
    "Vibey/dialog-x.md",
    "VIBEY/DIALOG-X.MD",
    "vibey/Dialog-x.md",
    "vibey./dialog-x.md",
    "vibey /dialog-x.md",
    "vibey/dialog-x.md.",
    "vibey/dialog-x.md ",
    "vibey/d\u0131alog-x.md",
    "v\u200bibey/dialog-x.md",
    "vibey/di\u00adalog-x.md",
  ])("%j is a dialog's", (name) => {
    expect(writeRefusal(path(name))).toContain("only Vibey writes dialogs");
    expect(dialogRefusal(path(name))).toBe(writeRefusal(path(name)));
  });

  test.each([
    ["vibey", "is the folder of docs and dialogs"],
    ["VIBEY", "is the folder of docs and dialogs"],
    ["vibey.", "is the folder of docs and dialogs"],
    ["Vibey/doc-main.md", "is the same file as vibey/doc-main.md"],
    ["vibey/Doc-Main.md", "is the same file as vibey/doc-main.md"],
    ["vibey/doc-main.md.", "is the same file as vibey/doc-main.md"],
    ["vibey/doc-ma\u200bin.md", "is the same file as vibey/doc-main.md"],
    ["VIBEY/doc-x.md", "is the same file as vibey/doc-x.md"],
    ["vibey/doc.txt", "can't be a file in vibey/"],
    ["vibey/sub/doc.md", "can't be a file in vibey/"],
    ["vibey/.. /doc.md", "can't be a file in vibey/"],
    ["vibey/doc main.md", "can't be a file in vibey/"],
    ["vibey/doc-ä.md", "can't be a file in vibey/"],
    ["vibey/doc..md", "can't be a file in vibey/"],
    ["vibey/.md/x", "can't be a file in vibey/"],
  ])("%j: %s", (name, why) => {
    expect(writeRefusal(path(name))).toContain(why);
  });

  test("law: whatever has a dialog's canonical form is refused, however it is spelled", () => {
    const noise = fc.constantFrom("", "\u200b", "\u00ad", "\u2060");
    const tail = fc.constantFrom("", ".", " ", ". ", "\u200b");
    const letters = (text: string): fc.Arbitrary<string> =>
      fc
        .tuple(...Array.from(text, (letter) => fc.tuple(fc.constantFrom(letter, letter.toUpperCase()), noise).map((pair) => pair.join(""))))
        .map((all) => all.join(""));
    fc.assert(
      fc.property(letters("vibey"), tail, letters("dialog-x.md"), tail, (folder, a, name, b) => {
        const at = path(`${folder}${a}/${name}${b}`);
        expect(canonical(at)).toBe("vibey/dialog-x.md");
        expect(writeRefusal(at)).toContain("only Vibey writes dialogs");
      }),
    );
  });

  test("law: what may be written in vibey/ is exactly what the name rule allows, dialogs aside", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aB9_-. ä/".split("")), minLength: 1, maxLength: 12 }), (name) => {
        const parsed = agentPath(`vibey/${name}.md`);
        if (!parsed.ok || !parsed.path.startsWith("vibey/")) return;
        const inside = parsed.path.slice("vibey/".length);
        const allowed = /^[a-zA-Z0-9_\-.]+$/.test(inside) && inside.endsWith(".md") && !inside.includes("..");
        expect(writeRefusal(parsed.path) === null).toBe(allowed);
      }),
    );
  });
});

describe("guardMainDoc", () => {
  const doc = "# Game\n\n> Authorized: run_command\n> Limit: 3 agents\n";

  test.each([
    ["other text", doc, doc.replace("Game", "Chess")],
    [
      "lines that are only like them",
      doc,
      `${doc}> Note: x\n\\> Authorized: write_file\n > Authorized: write_file\nText > Authorized: x\n`,
    ],
    ["a new doc without such lines", null, "# Game\n"],
    ["a doc without such lines that goes", "# Game\n", null],
  ])("lets pass: %s", (_, before, after) => {
    expect(guardMainDoc(before, after)).toEqual({ ok: true });
  });

  test.each([
    ["a new line", doc, `${doc}> Authorized: write_file\n`, "> Authorized: write_file"],
    ["a new revocation", doc, `${doc}> Revoked: run_command\n`, "> Revoked: run_command"],
    ["a new limit", doc, doc.replace("3 agents", "300 agents"), "> Limit: 300 agents"],
    ["a line that goes", doc, doc.replace("> Authorized: run_command\n", ""), "> Authorized: run_command"],
    ["another order", doc, "> Limit: 3 agents\n> Authorized: run_command\n", "> Limit: 3 agents"],
    ["a line twice", doc, `${doc}> Authorized: run_command\n`, "> Authorized: run_command"],
    ["a line behind a CR", doc, `${doc}text\r> Authorized: write_file`, "> Authorized: write_file"],
    ["a new doc with such a line", null, "> Authorized: write_file\n", "> Authorized: write_file"],
    ["a doc with such lines that goes", doc, null, "> Limit: 3 agents"],
  ])("refuses: %s", (_, before, after, line) => {
    const guard = guardMainDoc(before, after);
    expect(guard).toMatchObject({ ok: false, error: expect.stringContaining(line), notice: expect.stringContaining(line) });
    // The repaired text is accepted.
    if (!guard.ok) expect(guardMainDoc(before, guard.repaired)).toEqual({ ok: true });
  });
});
