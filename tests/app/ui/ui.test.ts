import { describe, expect, test } from "vitest";
import { matches, shownKeys } from "../../../src/app/ui/commands.ts";
import { formatRoute, parseRoute, type Route } from "../../../src/app/model/route.ts";
import { duration, fileSize, number, span, when, words } from "../../../src/app/ui/format.ts";

const place = { locale: "en-GB", timeZone: "UTC" };

describe("routes", () => {
  const routes: readonly (readonly [string, Route])[] = [
    ["#/docs", { tab: "docs", file: null }],
    ["#/docs/doc-main.md", { tab: "docs", file: { kind: "doc", name: "doc-main.md" } }],
    ["#/deed/src/a%20b.js", { tab: "docs", file: { kind: "deed", path: "src/a b.js" } }],
    ["#/dialogs", { tab: "dialogs", dialogId: null }],
    ["#/dialogs/20261121-201100-plan", { tab: "dialogs", dialogId: "20261121-201100-plan" }],
    ["#/dialogs/20261121-201100-plan/text", { tab: "dialogs", dialogId: "20261121-201100-plan", text: "whole" }],
    ["#/dialogs/20261121-201100-plan/text/7", { tab: "dialogs", dialogId: "20261121-201100-plan", text: { from: 7, to: 7 } }],
    ["#/dialogs/20261121-201100-plan/text/12-30", { tab: "dialogs", dialogId: "20261121-201100-plan", text: { from: 12, to: 30 } }],
    ["#/history", { tab: "history", commit: null, path: null }],
    ["#/history/0a1b", { tab: "history", commit: "0a1b", path: null }],
    ["#/history/of/src/of/a%20b.js", { tab: "history", commit: null, path: "src/of/a b.js" }],
    ["#/history/by/human", { tab: "history", commit: null, path: null, by: "human" }],
    ["#/history/0a1b/by/20261121-201100-of/of/by/x", { tab: "history", commit: "0a1b", path: "by/x", by: "20261121-201100-of" }],
    ["#/history/0a1b/of/of/x", { tab: "history", commit: "0a1b", path: "of/x" }],
  ];
  test.each(routes)("%s", (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
    expect(formatRoute(route)).toBe(hash);
  });

  test.each(["", "#", "#/nonsense/x", "#/deed"])("%j is the Docs tab", (hash) => {
    expect(parseRoute(hash)).toEqual({ tab: "docs", file: null });
  });

  test.each(["0-0", "30-12", "x", "1-2-3", "9999999999"])("lines %j are read as far as they are lines", (lines) => {
    const read = parseRoute(`#/dialogs/a/text/${lines}`);
    const expected = { "0-0": { from: 1, to: 1 }, "30-12": { from: 30, to: 30 } }[lines] ?? "whole";
    expect(read).toEqual({ tab: "dialogs", dialogId: "a", text: expected });
  });

  test("a broken escape is taken as it stands", () => {
    expect(parseRoute("#/docs/%E0%A4%A")).toEqual({ tab: "docs", file: { kind: "doc", name: "%E0%A4%A" } });
  });
});

describe("words", () => {
  test.each([
    ["2026-11-21T20:11:01Z", null, "20:11"],
    ["2026-11-21T20:11:01Z", "2026-11-21T20:12:14Z", "20:11 – 20:12"],
    ["2026-11-21T20:11:01Z", "2026-11-21T20:11:14Z", "20:11:01 – 20:11:14"],
    ["2026-11-21T00:00:00Z", null, "00:00"],
    ["no time", null, "no time"],
  ])("the time of a message: %s to %s", (start, end, expected) => {
    expect(span(start, end, place)).toBe(expected);
  });

  test.each([
    ["2026-11-21T08:05:00Z", "08:05"],
    ["2026-11-20T23:59:00Z", "yesterday"],
    ["2026-11-02T12:00:00Z", "2 Nov"],
  ])("when: %s", (at, expected) => {
    expect(when(Date.parse(at), Date.parse("2026-11-21T20:00:00Z"), place)).toBe(expected);
  });

  test.each([
    // The day before has 23 hours, and this one 25.
    ["2026-03-29T10:00:00Z", "2026-03-29T22:30:00Z", "yesterday"],
    ["2026-03-28T21:00:00Z", "2026-03-29T22:30:00Z", "28 Mar"],
    ["2026-10-24T10:00:00Z", "2026-10-25T22:59:00Z", "yesterday"],
  ])("when the clocks change: %s at %s", (at, now, expected) => {
    expect(when(Date.parse(at), Date.parse(now), { ...place, timeZone: "Europe/Berlin" })).toBe(expected);
  });

  test("sizes, durations and words", () => {
    const sizes = [0, 999, 1_000, 3_100, 2_500_000].map((bytes) => fileSize(bytes, place));
    expect(sizes).toEqual(["0 B", "999 B", "1.0 KB", "3.1 KB", "2.5 MB"]);
    const durations = [14, 1_234, 59_949, 59_960, 61_000, 119_700].map((ms) => duration(ms, place));
    expect(durations).toEqual(["14 ms", "1.2 s", "59.9 s", "1 min 0 s", "1 min 1 s", "2 min 0 s"]);
    expect(["", " ", "one", "one  two\nthree"].map(words)).toEqual([0, 0, 1, 3]);
  });

  test("numbers are written as the reader's locale writes them", () => {
    const german = { locale: "de-DE" };
    expect([number(12_345, german), fileSize(3_100, german), fileSize(1_234_500_000, german), duration(1_234, german)]).toEqual([
      "12.345",
      "3,1 KB",
      "1.234,5 MB",
      "1,2 s",
    ]);
  });
});

describe("keys", () => {
  const press = (code: string, ...held: ("ctrlKey" | "metaKey" | "altKey" | "shiftKey")[]) => ({
    code,
    ctrlKey: held.includes("ctrlKey"),
    metaKey: held.includes("metaKey"),
    altKey: held.includes("altKey"),
    shiftKey: held.includes("shiftKey"),
  });
  test.each([
    [press("KeyS", "ctrlKey"), false, true],
    [press("KeyS", "metaKey"), true, true],
    [press("KeyS", "ctrlKey"), true, false],
    [press("KeyS"), false, false],
    [press("KeyS", "ctrlKey", "shiftKey"), false, false],
    [press("KeyD", "ctrlKey"), false, false],
  ])("saving: %j", (event, mac, expected) => {
    expect(matches("Mod+KeyS", event, mac)).toBe(expected);
  });

  test("shown as each system writes them", () => {
    expect([shownKeys("Mod+KeyS", true), shownKeys("Mod+KeyS", false), shownKeys("Mod+Enter", true)]).toEqual(["⌘S", "Ctrl+S", "⌘↵"]);
  });
});
