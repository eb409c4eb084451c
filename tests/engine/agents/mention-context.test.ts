import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mentionContext } from "../../../src/engine/agents/mention-context.ts";
import { parseDialog } from "../../../src/dialog/parse.ts";

/** Nothing else is sent, and the model's window is unknown. */
const alone = { length: 0, window: null };
const head = "# Dialog\n> Format: 2\n> Provider: claude | Model: m\n> Started: 2026-11-21T20:11:00.000Z\n";
const said = (text: string) => `\n## User\n> Time: 2026-11-21T20:11:00.000Z\n\n${text}\n`;
const dialog = (texts: readonly string[]) => parseDialog(`${head}${texts.map(said).join("")}`);
const many = (count: number, length = 10) => dialog(Array.from({ length: count }, (_, nth) => `Word ${nth + 1} ${"x".repeat(length)}`));
const numbers = (text: string) => Array.from(text.matchAll(/Word (\d+)/g), ([, nth]) => Number(nth));

describe("what an agent is told of the dialog in which it is mentioned", () => {
  test.each([
    ["the last 50 messages", null, 51],
    ["as many as its file says", 20, 81],
    ["all", "all" as const, 1],
  ])("%s", (_what, messages, first) => {
    const told = numbers(mentionContext(many(100), "coder", messages, alone));
    expect([told[0], told.at(-1), told.length]).toEqual([first, 100, 101 - first]);
  });

  test("the user is called by name, else Owner", () => {
    expect(mentionContext(many(1), "coder", null, alone, "Charles")).toMatch(
      /\n\[Charles\]: Word 1 x+\n\nThe person asking is Charles \(role: owner\)\.$/,
    );
    expect(mentionContext(many(1), "coder", null, alone)).toMatch(
      /\n\[Owner\]: Word 1 x+\n\nThe person asking is Owner \(role: owner\)\.$/,
    );
  });

  test("where they don't fit half the model's window, the older ones are told in short", () => {
    // 20 messages of about 1,000 characters. 4,000 tokens hold about 16,000 characters, and half of that is 8,000.
    const text = mentionContext(many(20, 1_000), "coder", null, { length: 0, window: 4_000 });
    const [short = "", whole = ""] = text.split("What was said here before, oldest first:");
    expect(short).toMatch(/^What was said here earlier, in short:\n\n\[Owner\]: Word \d+ x+…\n/);
    expect(numbers(whole)).toEqual([14, 15, 16, 17, 18, 19, 20]);
    expect(numbers(short)).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  });

  test.each([
    [0, 14],
    [4_000, 18],
    [7_500, 21],
    [90_000, 21],
  ])("what is sent with it counts: beside %i characters, messages are whole from number %i on", (length, first) => {
    const text = mentionContext(many(20, 1_000), "coder", null, { length, window: 4_000 });
    const [short = "", whole = ""] = text.split("What was said here before, oldest first:");
    expect(numbers(whole)).toEqual([14, 15, 16, 17, 18, 19, 20].filter((nth) => nth >= first));
    expect(numbers(short).at(-1)).toBe(first - 1);
    expect(text).toMatch(/The person asking is Owner \(role: owner\)\.$/);
  });

  test("law: it is never longer than its limits, and no line but a label's begins a message", () => {
    const text = fc.array(fc.constantFrom("word", "\n", "[Owner]: ", "[Coder (AI)]: ", "x".repeat(300), "\u{1F469}", "\r", "\u2028"), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.option(fc.integer({ min: 1, max: 3_000 })),
        fc.nat(9_000),
        (texts, window, length) => {
          const context = mentionContext(dialog(texts.map((parts) => `a${parts.join("")}`)), "coder", null, { length, window });
          expect(context.length).toBeLessThan((window === null ? 120_000 : Math.max(0, window * 2 - length)) + 2_000 + 600);
          const labels = context.split("\n").filter((line) => line.startsWith("["));
          expect(labels.length).toBeLessThanOrEqual(texts.length);
        },
      ),
    );
  });
});
