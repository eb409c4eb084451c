import { expect, test } from "vitest";
import { parseDialog } from "../../../src/dialog/parse.ts";
import { parsePath } from "../../../src/fs/path.ts";
import { readerOf, withConflicts } from "../../../src/engine/turn/reader-of.ts";

const path = (text: string) => {
  const parsed = parsePath(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.path;
};

/**
 * `r1 w3 x5`: reads, writes, edits (e), deletes (d), or fails to read (x) the file in that minute; `o2` reads another file. The user approved a
 * read of the file instead of the other one (`c4`), or the reverse (`l4`).
 */
function dialogOf(calls: string) {
  const blocks = calls
    .split(" ")
    .filter(Boolean)
    .map((call, nth) => {
      const [what = "", minute = ""] = call;
      const tool = { w: "vfs_write", e: "edit_file", d: "vfs_delete" }[what] ?? "vfs_read";
      const file = what === "o" || what === "c" ? "b.md" : "./a.md";
      const approved = { c: "./a.md", l: "b.md" }[what];
      const decision = approved === undefined ? "approved\n" : `approved with changes\n\n    {"path":"${approved}"}\n\n`;
      const result = `{"success":${what !== "x"}}`;
      return `---\nTool request: ${tool} [c${nth}]\n\n    {"path":"${file}"}\n\nDecision: ${decision}Started: 2026-11-26T09:0${minute}:00.000Z\nResult:\n\n    ${result}\n\n---\n\n`;
    });
  return parseDialog(`# Dialog\n> Format: 2\n\n## User\n\nGo.\n\n## Assistant\n> Time: 2026-11-26T09:00:00.000Z - \n\n${blocks.join("")}`);
}

test.each([
  ["", "r1", "b.md"],
  ["r1", "r2", "b.md"],
  ["r2", "r1", null],
  ["r1", "r1", "b.md"],
  ["r2", "r1 r3", "b.md"],
  ["r1 w3", "r2", null],
  ["r1 e3", "r2", null],
  ["r1 d3", "r2", null],
  ["r1 w3", "r4", "b.md"],
  ["r1 x5", "r2", "b.md"],
  ["", "w1", null],
  ["", "x1", null],
  ["", "o1", null],
  ["", "c1", "b.md"],
  ["", "l1", null],
  ["r1 c3", "r2", null],
])("the writer did %j and another agent %j: %s works with it", (mine, theirs, reader) => {
  const dialogs = new Map([
    ["me", dialogOf(mine)],
    ["other", dialogOf(theirs)],
  ]);
  const member = (dialogId: string, status: string) => ({
    dialogId,
    status,
    run: "me",
    file: `agents/${dialogId === "me" ? "a" : "b"}.md`,
  });
  const runs = (status: string) =>
    ({
      member: (id: string) => member(id, "active"),
      members: () => [member("me", "active"), member("other", status)],
    }) as unknown as Parameters<typeof readerOf>[2];
  const peek = (id: string) => dialogs.get(id) ?? null;
  expect(readerOf(path("a.md"), "me", runs("active"), peek)).toBe(reader);
  // A dialog that is done works with no file.
  expect(readerOf(path("a.md"), "me", runs("done"), peek)).toBeNull();
});

test("a result warns of the files that are changed, beside what it warns of already, and a failure doesn't", async () => {
  const reading = async (file: string) => (file === "a.md" ? "b.md" : null);
  const changes = [
    { op: "remove", path: path("a.md") },
    { op: "remove", path: path("c.md") },
  ] as const;
  const warning = { code: "conflict", message: "conflict: 'a.md' changed while b.md works with what it read of it" };
  const plan = (result: object) => withConflicts({ changes, expect: [], result: { ...result } }, reading);
  expect((await plan({ success: true })).result).toEqual({ success: true, warnings: [warning] });
  const other = { code: "front_matter", message: "x" };
  expect((await plan({ success: true, warnings: [other] })).result).toEqual({ success: true, warnings: [other, warning] });
  expect((await plan({ success: false })).result).toEqual({ success: false });
});
