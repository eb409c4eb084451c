import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveEntities } from "../../src/app/markdown/entities.ts";
import { safeLink, saysWhere } from "../../src/app/markdown/links.ts";
import { createMarkdownStream, definesLinks, lex } from "../../src/app/markdown/stream.ts";

describe("links", () => {
  test.each([
    ["https://example.org/a?b=c", "https://example.org/a?b=c", "example.org"],
    ["http://example.org", "http://example.org/", "example.org"],
    ["mailto:a@example.org", "mailto:a@example.org", "a@example.org"],
    ["doc-rules.md", "#/docs/doc-rules.md", "doc-rules.md"],
    ["vibey/doc-main.md#top", "#/docs/doc-main.md", "doc-main.md"],
    ["vibey/dialog-20261121-201100-a-b-done.md", "#/dialogs/20261121-201100-a-b", "dialog-20261121-201100-a-b-done.md"],
    ["dialog-20261121-201100-a-waiting.md#L7", "#/dialogs/20261121-201100-a/text/7", "dialog-20261121-201100-a-waiting.md, lines 7 to 7"],
    [
      "vibey/dialog-20261121-201100-a-active.md#L12-L30",
      "#/dialogs/20261121-201100-a/text/12-30",
      "dialog-20261121-201100-a-active.md, lines 12 to 30",
    ],
  ])("%s may be followed", (target, href, leadsTo) => {
    expect(safeLink(target)).toMatchObject({ href, leadsTo });
  });

  test.each([
    "javascript:alert(1)",
    "dialog-20261121-201100-a.md",
    "dialog-20261121-201100-a-done.md#L1/../x",
    "vibey/../dialog-20261121-201100-a-done.md",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    "data:text/html,x",
    "blob:https://example.org/x",
    "file:///etc/passwd",
    "vbscript:x",
    "//example.org",
    "/settings",
    "doc-../../x.md",
    "",
  ])("%j may not", (target) => {
    expect(safeLink(target)).toBeNull();
  });

  test.each([
    ["https://b.co/", "https://b.co/", true],
    ["https://b.co", "https://b.co", true],
    ["https://b.co/a", "b.co", true],
    ["mailto:a@b.co", "a@b.co", true],
    ["https://b.co/", "https://accounts.google.com/signin?r=b.co", false],
    ["https://b.co/", "b.co.example.org", false],
    ["https://b.co/", "here", false],
  ])("to %s, the text %j says where it leads: %s", (target, text, expected) => {
    const link = safeLink(target);
    if (link === null) throw new Error("This link may be followed.");
    expect(saysWhere(link, target, text)).toBe(expected);
  });

  test("a name in the host does not hide who it is", () => {
    expect(safeLink("https://bank.example@evil.example/")?.leadsTo).toBe("evil.example");
  });
});

test.each([
  ["a &amp; b", "a & b"],
  ["&lt;b&gt; &#65; &#x41;", "<b> A A"],
  ["&#0; &#xD800; &#1114112;", "\uFFFD \uFFFD \uFFFD"],
  ["&nonsense; & &amp", "&nonsense; & &amp"],
])("character references: %s", (text, expected) => {
  expect(resolveEntities(text)).toBe(expected);
});

describe("a text that grows", () => {
  /** The raw blocks that stand on the screen after the text came in these pieces. */
  function shown(pieces: readonly string[]): string[] {
    const stream = createMarkdownStream();
    let blocks: string[] = [];
    for (const piece of pieces) {
      const step = stream.push(piece);
      if (step === null) throw new Error("too deep");
      blocks = [...blocks.slice(0, step.from), ...step.blocks.map((token) => token.raw)];
    }
    return blocks;
  }
  const whole = (text: string) => (lex(text) ?? []).filter((token) => token.type !== "space").map((token) => token.raw);

  test("however it is cut, it shows the same as in one piece", () => {
    const line = fc.constantFrom(
      "# a",
      "- b",
      "  c",
      "1. d",
      "> e",
      "```",
      "f",
      "",
      "",
      "    g",
      "---",
      "===",
      "| a | b |",
      "|---|---|",
      "\tx",
      "* * *",
    );
    const cut = fc.array(fc.nat({ max: 12 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), cut, (parts, sizes) => {
        const text = parts.join("\n");
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        pieces.push(text.slice(at));
        expect(shown(pieces)).toEqual(whole(text));
      }),
      { numRuns: 500 },
    );
  });

  test("one that nests too deep is plain text from then on", () => {
    const stream = createMarkdownStream();
    expect(stream.push("> ".repeat(20_000))).toBeNull();
    expect(stream.push("a")).toBeNull();
  });

  test.each([
    ["see [a]\n\n[a]: https://example.org", true],
    ["see [a](b)", false],
  ])("links defined later ask for one more reading: %j", (text, expected) => {
    expect(definesLinks(text)).toBe(expected);
  });
});
