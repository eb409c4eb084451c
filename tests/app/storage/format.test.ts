import { expect, test } from "vitest";
import type { RecoveryAnswer } from "../../../src/protocol/index.ts";
import { ago } from "../../../src/app/storage/ago.ts";
import { copyRows, isJustBegun, lossWords, rememberedWords, sideRows } from "../../../src/app/storage/format.ts";

const second = 1_000;
const hour = 3_600 * second;

test.each([
  [0, "less than a minute ago"],
  [-5 * second, "less than a minute ago"],
  [59 * second, "less than a minute ago"],
  [60 * second, "1 minute ago"],
  [59 * 60 * second, "59 minutes ago"],
  [hour, "1 hour ago"],
  [24 * hour, "1 day ago"],
  [80 * hour, "3 days ago"],
])("%i ms are %s", (ms, words) => {
  expect(ago(1e12 - ms, 1e12)).toBe(words);
});

test("a copy is told as what is in it, and when it was written", () => {
  const at = Date.UTC(2026, 10, 22, 12, 5);
  const copy = { generation: 3, at, docs: 2, dialogs: 1, files: 0, bytes: 3_400_000, torn: false };
  expect(copyRows(copy, at + hour, { locale: "en-GB", timeZone: "UTC" })).toEqual([
    ["Docs", "2"],
    ["Dialogs", "1"],
    ["Other files", "0"],
    ["Size", "3.4 MB"],
    ["Last saved", "22 November 2026 at 12:05 (1 hour ago)"],
  ]);
});

test.each(["empty", "unreadable", "gone"] as const)("what has happened is said in plain words: %s", (why) => {
  const answer = { why, message: "", copies: [], held: true, trouble: null, written: true, opened: null, remembered: null };
  expect(lossWords(answer).title).toMatch(/[Yy]our project/);
  expect(lossWords(answer).text).toMatch(/Vibey hasn't (?:written|changed) anything/);
});

test("an empty storage beside a copy that was only begun may be all that there ever was; nothing else may", () => {
  const begun: RecoveryAnswer = {
    why: "empty",
    message: "",
    copies: [],
    held: false,
    trouble: null,
    written: false,
    opened: null,
    remembered: null,
  };
  const copy = { generation: 1, at: 0, docs: 1, dialogs: 0, files: 0, bytes: 1, torn: false };
  expect(isJustBegun(begun)).toBe(true);
  expect(lossWords(begun).title).toBe("No project found");
  for (const more of [
    { why: "gone" },
    { why: "unreadable" },
    { copies: [copy] },
    { held: true },
    { trouble: "no files" },
    { written: true },
  ] as const)
    expect(isJustBegun({ ...begun, ...more })).toBe(false);
});

test("what the settings remember of a project that is gone with its copy", () => {
  const gone: RecoveryAnswer = {
    why: "empty",
    message: "",
    copies: [],
    held: false,
    trouble: null,
    written: true,
    opened: null,
    remembered: null,
  };
  const remembered = { docs: 1_500, dialogs: 3, files: 0, bytes: 9, at: 0 };
  expect(rememberedWords({ ...gone, remembered }, hour, { locale: "en-GB" })).toContain(
    "1,500 docs, 3 dialogs, and 0 other files, last backed up 1 hour ago",
  );
  expect(rememberedWords(gone, hour)).toContain("a project was stored here");
  expect(rememberedWords({ ...gone, written: false }, hour)).toBeNull();
  const copy = { generation: 1, at: 0, docs: 1, dialogs: 0, files: 0, bytes: 1, torn: false };
  expect(rememberedWords({ ...gone, remembered, copies: [copy] }, hour)).toBeNull();
});

test("what opened and the copy stand side by side", () => {
  const opened = { docs: 15, dialogs: 0, files: 2, bytes: 1_000, at: 0, differences: null };
  expect(sideRows(opened, { ...opened, docs: 30, dialogs: 4 }, hour, { locale: "en-GB", timeZone: "UTC" }).slice(0, 2)).toEqual([
    ["Docs", "15", "30"],
    ["Dialogs", "0", "4"],
  ]);
  expect(sideRows(opened, null, hour).map(([, , other]) => other)).toEqual(["none", "none", "none", "none", "none"]);
});
