import { assert, constantFrom, integer, oneof, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { readTime } from "../../src/dialog/time.ts";

/** Uses `Date`, without a fast path. */
function byDate(text: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/.test(text)) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

test.each([
  [null, null],
  ["2026-11-21T20:11:03.000Z", "2026-11-21T20:11:03.000Z"],
  ["2026-11-21T20:11:03Z", "2026-11-21T20:11:03.000Z"],
  ["2026-11-21T20:11:03.123456789Z", "2026-11-21T20:11:03.123Z"],
  ["2026-02-30T20:11:03.000Z", "2026-03-02T20:11:03.000Z"],
  ["2026-13-01T20:11:03.000Z", null],
  ["2026-11-21T20:11:03.000+01:00", null],
  ["yesterday", null],
])("the time %j is %j", (text, time) => {
  expect(readTime(text)).toBe(time);
});

test("every text is read as a date reads it", () => {
  const two = oneof(integer({ min: 0, max: 32 }), integer({ min: 58, max: 61 })).map((n) => String(n).padStart(2, "0"));
  const year = integer({ min: 0, max: 9_999 }).map((n) => String(n).padStart(4, "0"));
  const end = constantFrom("Z", ".000Z", ".9Z", ".123456Z", "");
  assert(
    property(tuple(year, two, two, two, two, two, end), ([y, month, day, hour, minute, second, tail]) => {
      const text = `${y}-${month}-${day}T${hour}:${minute}:${second}${tail}`;
      expect(readTime(text)).toBe(byDate(text));
    }),
    { numRuns: 500 },
  );
});
