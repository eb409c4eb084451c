import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { segments, visible } from "../../../src/app/calls/visible.ts";

const shown: readonly (readonly [string, string, string])[] = [
  ["plain text and tabs stay", "a\tb\nc", "a\tb\nc"],
  ["an escape sequence", "\u001b[31mred", "⟨U+001B⟩[31mred"],
  ["a carriage return that would hide the line's start", "rm -rf /\rls", "rm -rf /⟨U+000D⟩ls"],
  ["NUL", "a\0b", "a⟨U+0000⟩b"],
  ["a bidi override", "ev\u202Eil", "ev⟨U+202E⟩il"],
  ["bidi isolates", "\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"],
  ["zero width space and joiner", "a\u200Bb\u200Dc", "a⟨U+200B⟩b⟨U+200D⟩c"],
  ["a byte order mark", "\uFEFFa", "⟨U+FEFF⟩a"],
  ["a soft hyphen", "a\u00ADb", "a⟨U+00AD⟩b"],
  ["a space that is none", "rm\u00A0-rf", "rm⟨U+00A0⟩-rf"],
  ["a Hangul filler", "\u3164", "⟨U+3164⟩"],
  ["line and paragraph separators", "a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"],
  ["a tag character, above the BMP", "\u{E0041}", "⟨U+E0041⟩"],
  ["a lone surrogate", "a\uD800b", "a⟨U+D800⟩b"],
  ["a braille blank, an object that is none, a Khitan filler", "a\u2800\uFFFC\u{16FE4}b", "a⟨U+2800⟩⟨U+FFFC⟩⟨U+16FE4⟩b"],
  ["variation selectors, which can carry any text", "a\uFE00\u{E0101}b", "a⟨U+FE00⟩⟨U+E0101⟩b"],
  ["the selector of pictures, where there is none", "rm\uFE0F 1\uFE0F", "rm⟨U+FE0F⟩ 1⟨U+FE0F⟩"],
  ["pictures stay", "❤️ 1️⃣ ☎️", "❤️ 1️⃣ ☎️"],
  ["pictures that are joined stay one", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️‍🔥"],
  ["a joiner with a picture on one side alone", "👨\u200Drm \u200D👩 👨\u200D\u200D👩", "👨⟨U+200D⟩rm ⟨U+200D⟩👩 👨⟨U+200D × 2⟩👩"],
  ["a joiner that joins nothing that is known as one", "a/🙂\u200D🙂 ©\u200D®", "a/🙂⟨U+200D⟩🙂 ©⟨U+200D⟩®"],
  ["a flood of marks", `e${"\u0301".repeat(6)}x`, `e${"\u0301".repeat(4)}⟨U+0301 × 2⟩x`],
  ["a few marks on a letter stay", "ệ בְּרֵאשִׁ֖ית", "ệ \u2068בְּרֵאשִׁ֖ית\u2069"],
  ["letters of any script stay, those from right to left isolated", "žluťoučký 木 مرحبا", "žluťoučký 木 \u2068مرحبا\u2069"],
  ["words from right to left move no operator", "א && ב || ג > /project/x", "\u2068א\u2069 && \u2068ב\u2069 || \u2068ג\u2069 > /project/x"],
  ["parts of a path keep their order", "ב/א.md", "\u2068ב\u2069/\u2068א\u2069.md"],
  ["Arabic digits", "٢ && ٣", "\u2068٢\u2069 && \u2068٣\u2069"],
  ["many of one hidden character are counted", `rm${"\u00A0".repeat(200)}x`, "rm⟨U+00A0 × 200⟩x"],
];

describe("characters that a screen would hide", () => {
  test.each(shown)("%s", (_what, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  test("nothing is lost: the segments say the text again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const found = segments(text);
        expect(found.map(({ source }) => source).join("")).toBe(text);
        for (const { kind, text: piece, source } of found)
          if (kind === "code") {
            const [code = "", times = "1"] = piece.slice(2).split(" × ");
            expect(String.fromCodePoint(Number.parseInt(code, 16)).repeat(Number(times))).toBe(source);
          } else expect(piece).toBe(source);
      }),
    );
  });
});

test("more runs than a call takes arguments", () => {
  expect(segments("aא".repeat(150_000))).toHaveLength(300_000);
});
