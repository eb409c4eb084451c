import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutMiddle } from "../../src/shell/embedded/cut.ts";

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

describe("cutMiddle", () => {
  test("leaves a text that fits as it is", () => {
    expect(cutMiddle("abc", 3)).toEqual({ text: "abc", cut: false });
    expect(cutMiddle("äöü", 6)).toEqual({ text: "äöü", cut: false });
  });

  test("keeps both ends and says what is missing", () => {
    const { text, cut } = cutMiddle("a".repeat(500) + "z".repeat(500), 100);
    expect(cut).toBe(true);
    expect(text).toBe(`${"a".repeat(15)}\n[… 970 bytes of 1000 cut here: the output limit is 100 bytes …]\n${"z".repeat(15)}`);
  });

  test("never cuts a character in two", () => {
    const { text } = cutMiddle("😀".repeat(100), 101);
    expect(text).not.toContain("\uFFFD");
    expect(text).toMatch(/^(?:😀)+\n\[.*\]\n(?:😀)+$/u);
  });

  test("law: within the limit, a beginning and an end of the text, and the numbers add up", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 100, maxLength: 2000 }), fc.integer({ min: 90, max: 400 }), (text, limit) => {
        const done = cutMiddle(text, limit);
        if (!done.cut) return done.text === text && bytesOf(text) <= limit;
        const [, head = "", missing, all, tail = ""] =
          /^([^]*)\n\[… (\d+) bytes of (\d+) cut here: .*? …\]\n([^]*)$/u.exec(done.text) ?? [];
        expect(bytesOf(done.text)).toBeLessThanOrEqual(limit);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(bytesOf(head) + Number(missing) + bytesOf(tail)).toBe(Number(all));
        expect(Number(all)).toBe(bytesOf(text));
        return true;
      }),
    );
  });
});
