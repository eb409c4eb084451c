import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type GrowingText, growing, longer, since, whole } from "../../../src/app/markdown/growing.ts";

const piece = fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom("", "\ud83d", "x".repeat(1_023), "y".repeat(1_024), "z".repeat(3_000)));

test("whatever texts grow out of one another, each stays what it is and tells what it has more", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5 }), fc.array(fc.tuple(fc.nat(), piece), { maxLength: 20 }), (first, steps) => {
      const all: { grown: GrowingText; text: string }[] = [{ grown: growing(first), text: first }];
      for (const [nth, more] of steps) {
        // Mostly continues the last text, sometimes an earlier one.
        const before = all[nth % 4 === 0 ? nth % all.length : all.length - 1];
        if (before) all.push({ grown: longer(before.grown, more), text: before.text + more });
      }
      for (const { grown, text } of all) {
        expect(whole(grown)).toBe(text);
        expect(grown.length).toBe(text.length);
      }
      for (const one of all)
        for (const other of all) {
          const more = other.text.startsWith(one.text) ? other.text.slice(one.text.length) : null;
          for (const before of [one.grown, one.text]) for (const now of [other.grown, other.text]) expect(since(before, now)).toBe(more);
        }
    }),
    { numRuns: 200 },
  );
});
