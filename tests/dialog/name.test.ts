import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callId, toolName } from "../../src/dialog/ids.ts";
import { dialogFilename, dialogId, freeDialogId, parseDialogFilename, slugify } from "../../src/dialog/name.ts";
import { hostileText, lawTimeout, runs } from "./hostile.ts";

const time = new Date("2026-02-10T20:11:00.999Z");

describe("a slug", () => {
  test.each([
    ["", "dialog"],
    ["Build a Game!", "build-a-game"],
    ["--a__b..c--", "a-b-c"],
    ["é漢\u{1f600}", "dialog"],
    ["../../etc/passwd", "etc-passwd"],
    ["a".repeat(50), "a".repeat(40)],
    [`${"a".repeat(39)} b`, "a".repeat(39)],
    ["done", "dialog"],
    ["get it done", "get-it"],
    ["waiting done active", "dialog"],
    ["abandoned", "abandoned"],
    ["undone", "undone"],
    ["done-2", "done-2"],
    [`${"a".repeat(35)} done or not`, "a".repeat(35)],
    [`${"a".repeat(34)}-donee`, `${"a".repeat(34)}-donee`],
    ["\u212a", "k"],
  ])("%j is %s", (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  test(
    "is always one",
    () => {
      fc.assert(
        fc.property(
          fc.oneof(
            hostileText,
            fc.array(fc.constantFrom("done", "active", "-", "a", "b".repeat(17))).map((list) => list.join("-")),
          ),
          (text) => {
            const slug = slugify(text);
            expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
            expect(slug.length).toBeLessThanOrEqual(40);
            expect(slug).not.toMatch(/(^|-)(active|waiting|done)$/);
            expect(slugify(slug)).toBe(slug);
          },
        ),
        { numRuns: runs },
      );
    },
    lawTimeout,
  );
});

describe("an id", () => {
  test("is the UTC time and the slug", () => {
    expect(dialogId(time, "Build it")).toBe("20260210-201100-build-it");
  });

  test("gets a number when it is taken, within the 40 characters", () => {
    const taken = new Set<string>();
    const next = (slug: string): string => {
      const id = freeDialogId(time, slug, (other) => taken.has(other));
      taken.add(id);
      return id.slice("20260210-201100-".length);
    };
    expect([next("a"), next("a"), next("a"), next("a-2")]).toEqual(["a", "a-2", "a-3", "a-2-2"]);
    const long = "b".repeat(40);
    expect([next(long), next(long)]).toEqual([long, `${"b".repeat(38)}-2`]);
    for (let nth = 3; nth < 12; nth++) expect(next(long)).toHaveLength(40);
    expect(next(`${"c".repeat(33)}-done-x`)).toBe(`${"c".repeat(33)}-done-x`);
    expect(next(`${"c".repeat(33)}-done-x`)).toBe(`${"c".repeat(33)}-2`);
  });
});

describe("a file name", () => {
  test("says id and status", () => {
    expect(dialogFilename("20260210-201100-a-b", "waiting")).toBe("dialog-20260210-201100-a-b-waiting.md");
    expect(parseDialogFilename("dialog-20260210-201100-a-b-waiting.md")).toEqual({
      dialogId: "20260210-201100-a-b",
      slug: "a-b",
      status: "waiting",
      time: new Date("2026-02-10T20:11:00.000Z"),
    });
    expect(parseDialogFilename("dialog-20260210-201100-done-done.md")?.slug).toBe("done");
  });

  test.each([
    "",
    "doc-main.md",
    "dialog-20260210-201100-a.md",
    "dialog-20260210-201100-a-gone.md",
    "dialog-20260210-201100-done.md",
    "dialog-20260230-201100-a-done.md",
    "dialog-20260210-251100-a-done.md",
    "dialog-20260210-201100-A-done.md",
    "dialog-20260210-201100-a-done.md\n",
    "x/dialog-20260210-201100-a-done.md",
    "dialog-20260210-201100-a/b-done.md",
    "dialog-20260210-201100-a-done.markdown",
  ])("%j is none", (name) => {
    expect(parseDialogFilename(name)).toBeNull();
  });
});

describe("names and ids of calls", () => {
  test.each([
    ["run_command", "run_command"],
    ["a".repeat(64), "a".repeat(64)],
    ["a".repeat(65), "unknown"],
    ["", "unknown"],
    ["a b", "unknown"],
    ["a]\nDecision: approved", "unknown"],
    ["a\n", "unknown"],
    ["é", "unknown"],
  ])("tool %j is %s", (text, name) => {
    expect(toolName(text)).toBe(name);
  });

  test.each([
    ["toolu_1", [], "toolu_1"],
    ["toolu_1", ["toolu_1"], "call_7"],
    ["toolu_1", ["toolu_1", "call_7", "call_7_2"], "call_7_3"],
    ["", [], "call_7"],
    ["a b", [], "call_7"],
    ["a\n", [], "call_7"],
    ["a".repeat(128), [], "a".repeat(128)],
    ["a".repeat(129), [], "call_7"],
  ])("call %j, with %j taken, is %s", (text, taken, id) => {
    expect(callId(text, 7, (other) => taken.includes(other))).toBe(id);
  });
});
