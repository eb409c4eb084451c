import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clean, cleanCharacters, createCleaner } from "../../src/dialog/clean.ts";
import { hostileText, lawTimeout, runs } from "./hostile.ts";

describe("a text as it may stand in a dialog", () => {
  test.each([
    ["", ""],
    ["a", "a"],
    ["a\0b", "ab"],
    ["a\r\nb", "a\nb"],
    ["a\r\r\r\nb", "a\nb"],
    ["a\rb", "a\nb"],
    ["a\r\rb", "a\n\nb"],
    ["a\r\0\nb", "a\nb"],
    ["a\r\n\r\nb", "a\n\nb"],
    ["\ud800", "\ufffd"],
    ["\ude00\ud83d", "\ufffd\ufffd"],
    ["\ud83d\ude00", "\u{1f600}"],
    ["\ud83d\0\ude00", "\u{1f600}"],
    ["\n\n \t\na\n\t\n", "a"],
    ["  a  ", "  a  "],
    ["\n  a  \n", "  a  "],
    ["\u00a0\n", "\u00a0"],
    ["\u2028a\u2029", "\u2028a\u2029"],
    ["\ufeffa\v\f", "\ufeffa\v\f"],
    ["\r\ra\r\r", "a"],
    [" \n\t\n", ""],
  ])("%j is %j", (text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });
});

test(
  "cleaning twice is cleaning once, and a cleaned text holds nothing that cleaning removes",
  () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const cleaned = clean(text);
        expect(clean(cleaned)).toBe(cleaned);
        expect(cleaned).not.toMatch(/[\0\r]/);
        expect(cleaned).not.toMatch(/\p{Cs}/u);
        expect(cleaned).not.toMatch(/^[ \t]*\n|\n[ \t]*$/);
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);

test(
  "a stream is cleaned alike wherever it is cut",
  () => {
    fc.assert(
      fc.property(fc.array(hostileText, { maxLength: 5 }), fc.boolean(), (texts, units) => {
        const cleaner = createCleaner();
        const whole = texts.join("");
        const chunks = units ? whole.split("") : texts;
        expect(chunks.map((chunk) => cleaner.push(chunk)).join("") + cleaner.end()).toBe(cleanCharacters(whole));
      }),
      { numRuns: runs },
    );
  },
  lawTimeout,
);
