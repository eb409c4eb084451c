import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lines, type Piece, pieces } from "../../../src/app/calls/cell.ts";
import type { Reading } from "../../../src/app/calls/lookalikes.ts";
import { triedIn } from "../../tried.ts";

/** The text with each mark in brackets after the part that it is about. */
const written = (text: string, reading: Reading) =>
  lines(text, reading)
    .map(({ pieces: own, end }) => own.map(one).join("") + end)
    .join("");
const one = (piece: Piece) =>
  piece.kind === "blanks" ? `[${piece.label}]` : piece.kind === "marked" ? `${piece.source}[${piece.label}]` : piece.text;

const marked: readonly (readonly [string, Reading, string, string])[] = [
  [
    "a Cyrillic letter in a Latin word",
    "command",
    "сurl https://аpple.com",
    "сurl[Cyrillic U+0441, not c] https://аpple[Cyrillic U+0430, not a].com",
  ],
  ["the same in a file", "text", "const pаss = 1;", "const pаss[Cyrillic U+0430, not a] = 1;"],
  [
    "a word of which all letters look Latin",
    "command",
    "open рауреӏ",
    "open рауреӏ[Cyrillic U+0440, not p; Cyrillic U+0430, not a; Cyrillic U+0443, not y; 2 more]",
  ],
  ["a Greek letter in a Latin word", "command", "gοogle", "gοogle[Greek U+03BF, not o]"],
  ["an Armenian letter", "command", "cսrl", "cսrl[Armenian U+057D, not u]"],
  ["two other scripts in a word", "text", "рοг", "рοг[Cyrillic U+0440, not p; Greek U+03BF, not o; Cyrillic U+0433, not r]"],
  ["styled letters", "command", "𝐜𝐮𝐫𝐥 x", "𝐜𝐮𝐫𝐥[U+1D41C, not c; U+1D42E, not u; U+1D42B, not r; 1 more] x"],
  ["full-width letters", "command", "ｒｍ x", "ｒｍ[U+FF52, not r; U+FF4D, not m] x"],
  ["what looks like an operator", "command", "a ｜ b ＞ c；d", "a ｜[U+FF5C, not |] b ＞[U+FF1E, not >] c；[U+FF1B, not ;]d"],
  ["two dots in one, and a long dash", "command", "cat ‥/x ―f", "cat ‥[U+2025, not ..]/x ―[U+2015, not -]f"],
  ["a phonetic letter", "command", "ɡit ǀ x", "ɡit[U+0261, not g] ǀ[U+01C0, not |] x"],
  ["the same in a file is one", "text", "/ɡɪt/", "/ɡɪt/"],
  ["a letter without its dot in a host", "host", "gıthub.com", "gıthub[U+0131, not i].com"],
  ["a slash that is none", "command", "rm a∕b", "rm a∕[U+2215, not /]b"],
  ["a dash that begins no option", "command", "rm –rf x", "rm –[U+2013, not -]rf x"],
  ["quotation marks that quote nothing", "command", "echo “a; rm b”", 'echo “[U+201C, not "]a; rm b”[U+201D, not "]'],
  ["a run of blanks", "command", `npm test${" ".repeat(200)}; rm -rf /`, "npm test[200 spaces]; rm -rf /"],
  ["a tab", "command", "cat\tx", "cat[1 tab]x"],
  ["blanks of both kinds", "command", "cat \t x", "cat[2 spaces and 1 tab]x"],
  ["blanks at the end", "command", "ls \\  \nrm x", "ls \\[2 spaces]\nrm x"],
  ["a long way to the right", "command", `${" ".repeat(80)}rm x`, "[80 spaces]rm x"],
  ["a long way to the right in a file", "text", `ok();${" ".repeat(120)}evil();`, "ok();[120 spaces]evil();"],
  ["many empty lines", "command", `ls\n${"\n".repeat(40)}rm x`, "ls\n[40 empty lines]\nrm x"],
  ["lines of blanks alone", "text", `a\n${"  \n".repeat(5)}b`, "a\n[5 empty lines]\nb"],
  ["a host's blank", "host", "a b", "a[1 space]b"],
  ["a host of one look-alike", "host", "а.com", "а[Cyrillic U+0430, not a].com"],
];
const unmarked: readonly (readonly [string, Reading, string])[] = [
  ["a plain command", "command", "npm test -- --run board && git commit -m 'Say it' > log.txt 2>&1"],
  ["accented Latin", "command", "git commit -m 'Žluťoučký kůň, naïve façade, sınıf, Straße'"],
  ["Russian", "command", 'git commit -m "а не то, о чём с ней"'],
  ["Russian prose", "text", "Он сор вынес, а оса у рта."],
  ["Hebrew and Arabic", "command", "cat כללים.md مرحبا.txt"],
  ["Chinese with its own punctuation", "text", "文件，使用API；好。Ａ社の１月"],
  ["Japanese beside Latin", "command", "echo テストtest한글test"],
  ["an apostrophe and a dash between words", "command", 'git commit -m "It’s done — at last, 5–6 of them"'],
  ["formulas", "text", "Δt = 5 µm, π·r², λx"],
  ["indented lines", "command", "cat > x <<E\n    a\n\tb\n\n\nc\nE"],
  ["aligned code", "text", "const a     = 1;\n\t\t\treturn a;\n"],
];

describe("marks", () => {
  test.each(marked)("%s (%s)", (_what, reading, text, expected) => expect(written(text, reading)).toBe(expected));
  test.each(unmarked)("none: %s (%s)", (_what, reading, text) => expect(written(text, reading)).toBe(text));
});

/** The campaign's number of runs and its seed. */
const { VITE_SHOWN: times, VITE_SHOWN_SEED: seed } = process.env;
const runs = { reporter: triedIn(), ...(times === undefined ? {} : { numRuns: Number(times), seed: Number(seed) }) };

const source = (piece: Piece) => piece.source;
const words = fc.constantFrom("rm", "сurl", "א", "٢", "рауреӏ", "木", "ｒｍ", "|", "｜", "&&", "“", "–rf", "\u00A0", "\u202E", "\r", "é");
const blank = fc.constantFrom(" ", "   ", "\t", "\n", "\n\n\n\n\n\n", " \n", " ".repeat(50));
const hostile = fc.array(fc.oneof(words, blank, fc.string({ unit: "binary", maxLength: 4 }))).map((parts) => parts.join(""));
const reading = fc.constantFrom<Reading>("command", "host", "text");

describe("laws", () => {
  test("lines, pieces and marks together are the text", () => {
    fc.assert(
      fc.property(hostile, reading, (text, how) => {
        const found = lines(text, how);
        expect(found.map(({ pieces: own, end }) => own.map(source).join("") + end).join("")).toBe(text);
        for (const line of found)
          for (const piece of line.pieces) if (piece.kind === "marked") expect(piece.pieces.map(source).join("")).toBe(piece.source);
      }),
      runs,
    );
  });

  test("no run of blanks that could push a command out of sight stands unmarked", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of text.split("\n")) {
          const shown = pieces(line, "command").map((piece) => (piece.kind === "blanks" ? "·" : piece.source));
          expect(shown.join("")).not.toMatch(/\S[ \t]*\t|\S {3}| {33}|[ \t]$/);
        }
      }),
      runs,
    );
  });

  test("lines are numbered as an editor numbers them", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        let seen = 1;
        for (const line of lines(text, "text")) {
          expect(line.number).toBe(seen);
          seen += (line.pieces.map(source).join("") + line.end).split("\n").length - 1;
        }
      }),
      runs,
    );
  });
});
