import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { segments, visible } from "../../src/app/calls/visible.ts";

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
  ["letters of any script stay", "žluťoučký 木 مرحبا", "žluťoučký 木 مرحبا"],
];

describe("characters that a screen would hide", () => {
  test.each(shown)("%s", (_what, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  test("nothing is lost: the segments say the text again", () => {
    const back = (text: string) =>
      segments(text)
        .map((segment) => (segment.kind === "text" ? segment.text : String.fromCodePoint(Number.parseInt(segment.text.slice(2), 16))))
        .join("");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(back(text)).toBe(text);
      }),
    );
  });
});
