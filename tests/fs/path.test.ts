import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical, canonicalText, parsePath } from "../../src/fs/path.ts";
import { path } from "./notation.ts";

describe("parsePath", () => {
  test.each([
    "a",
    "vibey/doc-main.md",
    "src/deep/er/file.test.ts",
    "...",
    ".git/HEAD",
    "a/.hidden/..b/c..",
    " a / b ",
    "a:b*c?",
    "grüße/你好/\u{1f600}",
    "x".repeat(1024),
  ])("takes %j as it is", (text) => {
    expect(parsePath(text)).toEqual({ ok: true, path: text });
  });

  test.each([
    ["", "it is empty"],
    ["/a", "it starts with a slash"],
    ["/", "it starts with a slash"],
    ["a/", "it ends with a slash"],
    ["a//b", "it contains an empty segment"],
    [".", 'it contains the segment "."'],
    ["./a", 'it contains the segment "."'],
    ["a/./b", 'it contains the segment "."'],
    ["a/..", 'it contains the segment ".."'],
    ["../a", 'it contains the segment ".."'],
    ["a\\b", "it contains a backslash"],
    ["a\0", "it contains a NUL character"],
    ["a\ud800b", "it is not well-formed Unicode"],
    ["\udc00", "it is not well-formed Unicode"],
    ["x".repeat(1025), "it is longer than 1024 characters"],
    // NFC turns this one character into two. The limit applies to the stored form.
    ["\u0958".repeat(600), "it is longer than 1024 characters"],
  ])("refuses %j", (text, why) => {
    expect(parsePath(text)).toEqual({ ok: false, failure: { kind: "bad-path", text, why } });
  });

  test("brings a text to NFC", () => {
    expect(parsePath("e\u0301/\u212b")).toEqual({ ok: true, path: "\u00e9/\u00c5" });
  });

  test("what it gave, it takes again as it is", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parsePath(text);
        if (parsed.ok) expect(parsePath(parsed.path)).toEqual(parsed);
      }),
    );
  });
});

describe("canonical", () => {
  test.each([
    "vibey/dialog-x.md",
    "./vibey//Dialog-x.MD",
    "vibey/../vibey/dialog-x.md",
    "VIBEY/DIALOG-X.MD",
    "/vibey/dialog-x.md",
    "///vibey/dialog-x.md/",
    "vibey\\dialog-x.md",
    ".\\vibey\\.\\dialog-x.md",
    "vibey/dialog-x.md.",
    "vibey/dialog-x.md. . ",
    "vibey./dialog-x.md",
    "vibey /dialog-x.md",
    "vibey/./. /.../dialog-x.md",
    "a/.. /vibey/dialog-x.md",
    "a/b/../../vibey/dialog-x.md",
    "vıbey/dİalog-x.md".replace("İ", "ı"),
    "vi\u200bbey/dia\u00adlog-x\ufeff.md",
    "vibey/dialog-x.md\u00a0",
    ".\u200b./vibey/dialog-x.md".replace(".\u200b.", "a/.\u200b."),
  ])("takes %j for vibey/dialog-x.md", (text) => {
    expect(canonicalText(text)).toBe("vibey/dialog-x.md");
  });

  test.each([
    ["stra\u00dfe", "STRASSE"],
    ["stra\u1e9ee", "strasse"],
    ["\u212a", "k"],
    ["\u017f", "S"],
    ["e\u0301", "\u00c9"],
    ["\u03a3", "\u03c2"],
    ["\u01c4", "\u01c6"],
  ])("%j and %j are one file", (one, other) => {
    expect(canonicalText(one)).toBe(canonicalText(other));
  });

  test.each([
    ["a", "b"],
    ["a/b", "a-b"],
    ["vibey/dialog-x.md", "vibey/dialog-x.md/y"],
    ["vibey/dialog-x.md", "my/vibey/dialog-x.md"],
    [".a", "a"],
    [" a", "a"],
    ["é", "e"],
    ["a.b", "ab"],
  ])("%j and %j are two files", (one, other) => {
    expect(canonicalText(one)).not.toBe(canonicalText(other));
  });

  test.each(["..", "../vibey/x", "a/../../vibey/x", "vibey/../../vibey/x", "..\\x", "/..", ".. /x", "a/b\0", "\ud800"])(
    "%j names no file of the project",
    (text) => {
      expect(canonicalText(text)).toBeNull();
    },
  );

  test.each(["", ".", "/", "./", "a/..", "\\", ". ."])("%j is the root", (text) => {
    expect(canonicalText(text)).toBe("");
  });

  test("a path that only some systems would read as leaving the root stays inside it", () => {
    expect(canonical(path(".. /vibey/x"))).toBe("vibey/x");
  });

  test("a path of plain ASCII, which has a short way, has the form that it has as a text", () => {
    const segment = fc.string({
      unit: fc.constantFrom("a", "B", "I", "ss", "7", "_", "-", ".", ".", " ", "é"),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const parsed = parsePath(segments.join("/"));
        fc.pre(parsed.ok);
        const form = canonicalText(parsed.path);
        fc.pre(form !== null);
        expect(canonical(parsed.path)).toBe(form);
      }),
      { numRuns: 5_000 },
    );
  });

  test("of a form it gives that form, for every character and every text", () => {
    for (let code = 1; code < 0x30000; code++) {
      const form = canonicalText(String.fromCodePoint(code).repeat(2));
      if (form !== null && canonicalText(form) !== form) expect.fail(`U+${code.toString(16)}`);
    }
    fc.assert(
      fc.property(texts, (text) => {
        const form = canonicalText(text);
        if (form !== null) expect(canonicalText(form)).toBe(form);
      }),
      { numRuns: 2000 },
    );
  });

  test("letter case and composition never tell two forms apart", () => {
    for (let code = 1; code < 0x30000; code++) {
      const text = String.fromCodePoint(code);
      const others = [text.toLowerCase(), text.toUpperCase(), text.normalize("NFD")].filter((other) => other !== text);
      if (others.length === 0) continue;
      const form = canonicalText(`x${text}`);
      for (const same of others) {
        if (canonicalText(`x${same}`) !== form) expect.fail(`U+${code.toString(16)} and ${same}`);
      }
    }
  });

  test("of a path and of its text it is the same", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parsePath(text);
        if (!parsed.ok) return;
        const form = canonicalText(parsed.path);
        if (form !== null) expect(canonical(parsed.path)).toBe(form);
      }),
    );
  });

  // A quadratic implementation would reach the test's time limit.
  test.each<[title: string, text: string, form: string | null]>([
    ["one segment", "a".repeat(1e6), "a".repeat(1e6)],
    ["dots", ".".repeat(1e6), ""],
    ["dots and spaces that do not end it", `${" .".repeat(5e5)}x`, `${" .".repeat(5e5)}x`],
    ["steps up", "../".repeat(3e5), null],
    ["steps down", "a/".repeat(5e5), "a/".repeat(5e5).slice(0, -1)],
  ])("takes a long text: %s", (_title, text, form) => {
    expect(canonicalText(text) === form).toBe(true);
  });
});

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("/", "\\", ".", "..", " ", "a", "B", "vibey", "ß", "İ", "e\u0301", "\u200d", "\0", "\ud800"), { maxLength: 12 })
    .map((parts) => parts.join("")),
);
