import * as fc from "fast-check";
import { expect, test } from "vitest";
import { countUpTo, cursorOf } from "../../../src/engine/log/cursor.ts";
import { decodeEntry, encodeEntry, eventTypes } from "../../../src/engine/log/entry.ts";

const place = fc.oneof(
  fc.constant("h"),
  fc.nat(99_999).map(String),
  fc.tuple(fc.nat(99_999), fc.nat(999)).map((both) => both.join(".")),
);
const key = fc
  .tuple(place, fc.constantFrom(...eventTypes.filter((type) => type !== "commit")), fc.nat(3))
  .map(([at, type, nth]) => `${at}.${type}${nth === 0 ? "" : `.${nth}`}`);
const dialogId = fc.constantFrom("20261121-201100-game", "20261121-201120-a-b-2", "20240229-000000-x");
const news = fc.oneof(
  { weight: 4, arbitrary: fc.record({ dialogId, generation: fc.nat(50), keys: fc.array(key, { minLength: 1, maxLength: 8 }) }) },
  { weight: 1, arbitrary: fc.record({ commits: fc.nat() }) },
);

test("an entry reads as it was written", () => {
  fc.assert(
    fc.property(fc.array(news, { minLength: 1, maxLength: 5 }), fc.boolean(), (all, rebuilt) => {
      expect(decodeEntry(encodeEntry({ news: all, rebuilt }))).toEqual({ news: all, rebuilt });
    }),
  );
});

test("bytes that are no entry say nothing and break nothing", () => {
  const pieces = fc.constantFrom(
    "20261121-201100-game",
    "/0 ",
    "hA",
    "1.2t",
    "#12",
    ";",
    "~",
    " ",
    "/",
    "../x/0 hA",
    "\u0000",
    "é",
    "9".repeat(30),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.array(pieces).map((all) => new TextEncoder().encode(all.join(""))),
      ),
      (bytes) => {
        for (const one of decodeEntry(bytes).news) {
          if ("commits" in one) {
            expect(one.commits).toBeGreaterThanOrEqual(0);
            continue;
          }
          expect(one.dialogId).toMatch(/^\d{8}-\d{6}-[a-z0-9-]+$/);
          expect(one.keys.length).toBeGreaterThan(0);
        }
      },
    ),
  );
});

test("a cursor finds its place among fractions of versions, and no other", () => {
  const at = (version: number, nth: number) => ({
    version,
    nth,
    dialogId: "20261121-201100-game",
    generation: 0,
    key: "hA",
    rebuilt: false,
  });
  const positions = [at(4.5, 0), at(4.5, 1), at(5, 0), at(9, 0), at(9, 1)];
  for (const [before, position] of positions.entries()) expect(countUpTo(positions, "log", cursorOf("log", position))).toBe(before + 1);
  for (const cursor of ["log_4.5_2", "log_6_0", "log_0_0", "other_5_0", "log", "", "log_5", "log_5_x", "log_1e9_0", "log_NaN_0"])
    expect(countUpTo(positions, "log", cursor)).toBe(null);
});
