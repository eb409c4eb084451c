import { expect, test, vi } from "vitest";
import { visible } from "../../../src/app/calls/visible.ts";
import { fileGroups, filtered, type ListedFiles } from "../../../src/app/docs/file-groups.ts";

vi.mock(import("../../../src/app/calls/visible.ts"), { spy: true });

const listed = (files: Partial<ListedFiles>) =>
  fileGroups({ names: [], deed: [], unsaved: new Set(), open: "", remove: () => undefined, ...files });
const drawn = (groups: ReturnType<typeof fileGroups>) =>
  groups.flatMap(({ title, rows }) => (rows.length === 0 ? [] : [`${title}: ${rows.map((row) => row.title + row.side).join(" ")}`]));

const names = [
  "doc-rules.md",
  "doc-main.md",
  "dialog-20261121-201100-plan-active.md",
  "dialog-20261121-201200-look-waiting.md",
  "dialog-20261121-201300-seed-done.md",
  "notes.txt",
];
const deed = [
  { path: "b.js", size: 12, mtime: 0 },
  { path: "a.js", size: 0, mtime: 0 },
];

test("every file stands in its group: main first, the deed by its names", () => {
  expect(drawn(listed({ names, deed }))).toEqual([
    "Docs: main rules",
    "Deed: a.js0 B b.js12 B",
    "Running dialogs: plan",
    "Waiting dialogs: look",
    "Done dialogs: seed",
    "Other files: notes.txt",
  ]);
});

test("an agent stands among the agents, by its slug", () => {
  expect(drawn(listed({ names: ["agent-coder.md", "doc-main.md", "agent-Big.md", "agents.md"] }))).toEqual([
    "Docs: main",
    "Agents: coder big",
    "Other files: agents.md",
  ]);
});

test("what is unsaved says so, and is listed on when its file is gone", () => {
  const unsaved = new Set(["doc:doc-main.md", "doc:doc-gone.md", "deed:b.js", "deed:gone.js", "dialog:20261121-201100-plan"]);
  expect(drawn(listed({ names: ["doc-main.md"], deed, unsaved }))).toEqual([
    "Docs: mainunsaved goneunsaved",
    "Deed: a.js0 B b.jsunsaved gone.jsunsaved",
  ]);
});

test("the open file is marked, and a row deletes its own file under its title", () => {
  const removed: string[] = [];
  const groups = listed({ names, open: "doc:doc-rules.md", remove: (ref, title) => removed.push(`${JSON.stringify(ref)} ${title}`) });
  const rows = groups.flatMap((group) => group.rows);
  expect(rows.filter(({ current }) => current).map(({ title }) => title)).toEqual(["rules"]);
  rows.find(({ title }) => title === "plan")?.remove?.();
  expect(removed).toEqual(['{"kind":"doc","name":"dialog-20261121-201100-plan-active.md"} plan']);
});

test("what a screen would hide in a name shows", () => {
  expect(drawn(listed({ deed: [{ path: "a\u202Eb", size: 1, mtime: 0 }] }))).toEqual(["Deed: a⟨U+202E⟩b1 B"]);
});

test.each([
  ["", ["Docs: main rules", "Running dialogs: plan", "Waiting dialogs: look", "Done dialogs: seed", "Other files: notes.txt"]],
  [" RULE ", ["Docs: rules"]],
  ["2012", ["Waiting dialogs: look"]],
  ["nothing", []],
])("of a search for %j", (words, expected) => {
  expect(drawn(filtered(listed({ names }), words))).toEqual(expected);
});

test("a name is made readable when its row is shown, not when it is listed or searched; a row that stays the same is the same", () => {
  vi.mocked(visible).mockClear();
  const first = listed({ names, deed });
  const again = listed({ names, deed, open: "deed:a.js", before: first });
  filtered(again, "a");
  expect(visible).not.toHaveBeenCalled();
  const rows = (groups: typeof first) => groups.flatMap((group) => group.rows);
  expect(rows(again).flatMap((row, at) => (row === rows(first)[at] ? [] : [row.key]))).toEqual(["deed:a.js"]);
});
