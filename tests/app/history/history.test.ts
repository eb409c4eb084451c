import { describe, expect, test } from "vitest";
import { diffRows } from "../../../src/app/calls/diff.ts";
import { turnWords, wholeSecond } from "../../../src/app/dialogs/turn-changes.ts";
import { withNewer } from "../../../src/app/history/commits.ts";
import { fileAt, fileTitle, historyPath } from "../../../src/app/history/paths.ts";
import { byDay, changeCounts, fileNames, inDays, moment, outcomeWords, who } from "../../../src/app/history/format.ts";
import { type Actor, agent, human, vibey } from "../../../src/fs/actor.ts";
import type { HistoryCommit } from "../../../src/protocol/index.ts";
import { moment as shortMoment } from "../../../src/app/ui/format.ts";

const commit = (id: string, time: string, by: Actor = human): HistoryCommit => ({
  id,
  time,
  by,
  summary: id,
  filesChanged: 1,
  undone: null,
});
const berlin = { locale: "en-GB", timeZone: "Europe/Berlin" };

test("who it was", () => {
  expect(who(human)).toBe("You");
  expect(who(agent("20261121-201100-style"))).toBe("style");
  expect(who(vibey)).toBe("Vibey");
  expect(who(agent(""))).toBe("An agent");
});

test("commits stand under their day, in the reader's own time", () => {
  const now = Date.parse("2026-11-22T06:00:00Z");
  const commits = [
    commit("a", "2026-11-22T05:00:00Z"),
    commit("b", "2026-11-21T23:30:00Z"),
    commit("c", "2026-11-21T22:30:00Z"),
    commit("d", "2026-11-03T12:00:00Z"),
    commit("e", "never"),
  ];
  const drawn = byDay(commits, now, berlin).map(({ title, items: own }) => `${title}: ${own.map(({ id }) => id).join(" ")}`);
  const dated = expect.stringMatching(/^Tuesday,? 3 November 2026: d$/);
  expect(drawn).toEqual(["Today: a b", "Yesterday: c", dated, "Unknown date: e"]);
  expect(moment("2026-11-21T23:30:00Z", berlin)).toMatch(/^22 November 2026.* 00:30:00$/);
  expect(moment("never")).toBe("never");
  // Another page shows the same moment in its own form.
  expect(shortMoment("2026-11-21T23:30:00Z", berlin)).toMatch(/^22 Nov 2026.* 00:30$/);
  expect(moment("2026-11-21T23:30:00Z", berlin)).toMatch(/^22 November 2026.* 00:30:00$/);
});

test("what came later with an earlier time stays where it came", () => {
  const now = Date.parse("2026-11-22T06:00:00Z");
  const items = [
    commit("a", "2026-11-21T12:00:00Z"),
    commit("b", "2026-11-22T05:00:00Z"),
    commit("c", "2026-11-22T04:00:00Z"),
    commit("d", "2026-11-21T11:00:00Z"),
  ];
  const drawn = inDays(items, now, berlin).map(({ title, items: own }) => `${title}: ${own.map(({ id }) => id).join(" ")}`);
  expect(drawn).toEqual(["Yesterday: a", "Today: b c", "Yesterday: d"]);
});

test("a path of the history is a doc or a file of the deed", () => {
  expect(historyPath({ kind: "doc", name: "doc-main.md" })).toBe("vibey/doc-main.md");
  expect(fileAt("vibey/doc-main.md")).toEqual({ kind: "doc", name: "doc-main.md" });
  expect(fileAt("src/a.ts")).toEqual({ kind: "deed", path: "src/a.ts" });
  expect(fileTitle("vibey/doc-rules.md")).toBe("rules");
});

test.each([
  [["index.html"], [], [], "undone", "Undid the change to index.html."],
  [["index.html"], [], [], "restored", "Restored index.html."],
  [["index.html"], [], [], "redone", "Redid the change to index.html."],
  [["a", "b"], [], [], "undone", "Undid changes to 2 files."],
  [["a"], ["b"], [], "undone", "Undid the change to a. Skipped because the same lines have changed since: b."],
  [[], ["a", "b"], [], "restored", "No files were changed. Skipped because the same lines have changed since: a and b."],
  [["a"], [], ["b"], "restored", "Restored a. Skipped because the saved version is damaged: b."],
  [[], [], [], "restored", "Nothing to restore: every file already matches that version."],
] as const)("what came of it: changed %j, kept %j, damaged %j, %s", (changed, kept, damaged, done, words) => {
  expect(outcomeWords({ changed, kept, damaged }, done)).toBe(words);
});

test.each([
  [1, null, "Changed 1 file"],
  [4, 4, "Changed 4 files (undone)"],
  [4, 3, "Changed 4 files (3 undone)"],
] as const)("the end of a turn that changed %d files, of which %s are undone", (files, undone, words) => {
  expect(turnWords({ files, undone: undone === null ? null : { commits: [], files: undone } })).toBe(words);
});

test("names and numbers of files", () => {
  expect(fileNames(["a"])).toBe("a");
  expect(fileNames(["a", "vibey/doc-main.md", "c"])).toBe("a, main, and c");
  expect(fileNames(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more");
  expect(changeCounts([])).toBe("");
  expect(
    changeCounts([
      { path: "a", change: "removed" },
      { path: "b", change: "added" },
      { path: "c", change: "added" },
    ]),
  ).toBe("2 added, 1 removed");
});

describe("a newer list before a known one", () => {
  const list = (ids: string) => Array.from(ids, (id) => commit(id, ""));
  const drawn = (newer: string, known: string) =>
    withNewer(list(newer), list(known))
      ?.map(({ id }) => id)
      .join("") ?? null;
  test.each([
    ["edc", "cba", "edcba"],
    ["cba", "cba", "cba"],
    ["ed", "cba", null],
    ["edc", "", null],
    ["e", "dcba", null],
    ["edcb", "dc", "edcb"],
  ])("%s before %s", (newer, known, joined) => {
    expect(drawn(newer, known)).toBe(joined);
  });
  test("a commit that was undone meanwhile is the newer one", () => {
    const undone = list("cb").map((one) => ({ ...one, undone: { by: "c", files: 1 } }));
    expect(withNewer(undone, list("cba"))).toEqual([...undone, ...list("a")]);
  });
});

test("a commit of the second in which something was said is one since then", () => {
  expect(wholeSecond("2026-11-21T20:14:01.700Z")).toBe("2026-11-21T20:14:01.000Z");
  expect(wholeSecond("no time")).toBeNull();
});

test("the diff of a file that came or went is its lines", () => {
  const drawn = (before: string | null, after: string | null) => diffRows(before, after).map(({ kind, text }) => `${kind} ${text}`);
  expect(drawn(null, "a\nb\n")).toEqual(["add a", "add b"]);
  expect(drawn("a", null)).toEqual(["remove a"]);
  expect(drawn(null, "")).toEqual([]);
});
