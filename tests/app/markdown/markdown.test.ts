import * as fc from "fast-check";
import { Lexer } from "marked";
import { describe, expect, test } from "vitest";
import { resolveEntities } from "../../../src/app/markdown/entities.ts";
import { safeLink, saysElsewhere, saysWhere } from "../../../src/app/markdown/links.ts";
import { lex } from "../../../src/app/markdown/lex.ts";
import { piecesOf } from "../../../src/app/markdown/long-text.ts";
import { partsOf } from "../../../src/app/markdown/parts.ts";
import { read } from "../../../src/app/markdown/read.ts";
import { grow, newStream, take } from "../../../src/app/markdown/stream.ts";

describe("links", () => {
  test.each([
    ["https://example.org/a?b=c", "https://example.org/a?b=c", "example.org"],
    ["http://example.org", "http://example.org/", "example.org"],
    ["mailto:a@example.org", "mailto:a@example.org", "a@example.org"],
    ["doc-rules.md", "#/docs/doc-rules.md", "doc-rules.md"],
    ["vibey/doc-main.md#top", "#/docs/doc-main.md", "doc-main.md"],
    ["vibey/dialog-20261121-201100-a-b-done.md", "#/dialogs/20261121-201100-a-b", "dialog-20261121-201100-a-b-done.md"],
    ["dialog-20261121-201100-a-waiting.md#L7", "#/dialogs/20261121-201100-a/text/7", "dialog-20261121-201100-a-waiting.md, lines 7–7"],
    [
      "vibey/dialog-20261121-201100-a-active.md#L12-L30",
      "#/dialogs/20261121-201100-a/text/12-30",
      "dialog-20261121-201100-a-active.md, lines 12–30",
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

  test.each([
    ["other letters", "https://аpple.com", "аpple.com = xn--pple-43d.com"],
    ["other letters, encoded", "https://%D0%B0pple.com", "xn--pple-43d.com"],
    ["letters from right to left", "https://שלום.example/", "\u2068שלום\u2069.example = xn--9dbne9b.example"],
    ["a user's name that reads as a host", "https://bank.example@evil.example", "evil.example"],
    ["an address as a number", "http://2130706433/", "127.0.0.1"],
    ["full-width letters", "https://ｅvil.example/", "ｅvil.example = evil.example"],
  ])("an address that does not name its host plainly says the host beside it: %s", (_what, target, leadsTo) => {
    const link = safeLink(target);
    if (link === null) throw new Error("This link may be followed.");
    expect(link.leadsTo).toBe(leadsTo);
    expect(saysWhere(link, target, target)).toBe(false);
  });

  test.each([
    ["https://evil.example/", "https://bank.example/", true],
    ["https://evil.example/", "www.bank.example", true],
    ["https://evil.example/", "bank.com/login", true],
    ["https://bank.com.evil.example/", "bank.com", true],
    ["https://bank.example/a", "https://bank.example/b", false],
    ["https://nodejs.org/", "node.js", false],
    ["https://evil.example/", "here", false],
    ["mailto:a@evil.example", "bank.com", false],
  ])("to %s, the text %j reads as another host: %s", (target, text, expected) => {
    const link = safeLink(target);
    if (link === null) throw new Error("This link may be followed.");
    expect(saysElsewhere(link, text)).toBe(expected);
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
  /** The raw blocks on the screen after the text arrived in these pieces. */
  function shown(pieces: readonly string[]): string[] {
    const stream = newStream();
    let blocks: string[] = [];
    for (const piece of pieces) {
      grow(stream, piece);
      const reading = read(stream.tail, Infinity, stream.links);
      if (reading.kind !== "read") throw new Error(reading.kind);
      blocks = [...blocks.slice(0, stream.closed), ...reading.parts.map(({ raw }) => raw)];
      take(stream, reading);
    }
    return blocks;
  }
  function whole(text: string): string[] {
    const reading = read(text, Infinity, {});
    if (reading.kind !== "read") throw new Error(reading.kind);
    return reading.parts.map(({ raw }) => raw);
  }

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

  test("line breaks of Windows and of old Macs are line breaks, wherever the text is cut", () => {
    const text = "# a\r\nb\r\rc\r\n";
    for (let at = 0; at <= text.length; at += 1) expect(shown([text.slice(0, at), text.slice(at)])).toEqual(whole("# a\nb\n\nc\n"));
  });
});

describe("a text that takes too long", () => {
  test("is given up when the time is up, and when it nests too deep", () => {
    expect(lex("*a_".repeat(1_000), performance.now() - 1)).toEqual({ kind: "late" });
    expect(lex("> ".repeat(20_000))).toEqual({ kind: "deep" });
  });

  test("a table has no more cells than characters", () => {
    const columns = 400;
    const wide = `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${"a\n".repeat(columns)}`;
    const lexed = lex(wide);
    expect(lexed.kind === "lexed" && lexed.tokens.map(({ type }) => type)).toEqual(["paragraph"]);
    const full = `|a|b|\n|-|-|\n${"|c|d|\n".repeat(columns)}`;
    const other = lex(full);
    expect(other.kind === "lexed" && other.tokens.map(({ type }) => type)).toEqual(["table"]);
  });

  test("a block of code that begins a text is what the lexer alone takes it for", () => {
    const piece = fc.constantFrom("```", "~~~", "`", "~", "\n", "\n", "a", " ", "\\*", "  ");
    fc.assert(
      fc.property(fc.constantFrom("```", "~~~"), fc.array(piece, { maxLength: 14 }), (fence, rest) => {
        const text = `${fence}${rest.join("")}`;
        const lexed = lex(text);
        expect(lexed.kind === "lexed" && lexed.tokens).toEqual(Array.from(new Lexer({ gfm: true }).lex(text)));
      }),
      { numRuns: 500 },
    );
  });

  test("long lists and tables come in parts, which together are the text; what has too many tokens is plain", () => {
    const parts = (text: string) => {
      const lexed = lex(text);
      if (lexed.kind !== "lexed") throw new Error(lexed.kind);
      return partsOf(lexed.tokens);
    };
    const list = parts("3. a **b**\n".repeat(120));
    expect(list.map((part) => ("start" in part ? [part.type, part.start, part.items.length] : part.type))).toEqual([
      ["list", 3, 50],
      ["list", 53, 50],
      ["list", 103, 20],
    ]);
    const table = parts(`|a|b|\n|-|-|\n${"|c|d|\n".repeat(120)}`);
    expect(table.map((part) => ("rows" in part ? [part.type, part.rows.length] : part.type))).toEqual([
      ["table", 50],
      ["table", 50],
      ["table", 20],
    ]);
    const flood = `${"*a* ".repeat(5_000)}b`;
    expect(parts(flood)).toEqual([{ type: "plain", raw: flood }]);
    for (const text of ["3. a **b**\n".repeat(120), `|a|b|\n|-|-|\n${"|c|d|\n".repeat(120)}`])
      expect(
        parts(text)
          .map(({ raw }) => raw)
          .join("")
          .trimEnd(),
      ).toBe(text.trimEnd());
  });
});

describe("pieces of a long text", () => {
  test("are short, break no character, and are the text", () => {
    const piece = fc.constantFrom("a".repeat(700), "\n", "\u{1F469}".repeat(500), "\u202E".repeat(900), "b\n".repeat(300));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (parts) => {
        const text = parts.join("");
        const pieces = piecesOf(text);
        expect(pieces.map((each) => each.text).join("")).toBe(text);
        for (const [nth, each] of pieces.entries()) {
          expect(each.text.length).toBeLessThanOrEqual(text.length <= 2_048 ? 2_048 : 1_024);
          expect(each.text.isWellFormed()).toBe(true);
          expect(each.continued).toBe(nth > 0 && pieces[nth - 1]?.text.endsWith("\n") === false);
        }
      }),
    );
  });
});
