import { expect, test } from "vitest";
import { waitIn } from "../../../src/engine/providers/wait-in.ts";

test.each<[string, number | null]>([
  ["Please try again in 20s.", 20_000],
  ["Please try again in 120ms.", 120],
  ["Please try again in 7h12m0s.", 25_920_000],
  ["Please retry in 55.576865699s.", 55_577],
  ["Please retry after 30 seconds", 30_000],
  ["Please wait for 2 minutes, 5 seconds and try again", 125_000],
  ["RETRY IN 1 MINUTE", 60_000],
  ["try again in 5 months", null],
  ["try again in 0s", null],
  ["try again later, 20s", null],
  ["Limit 30000, requested 20s", null],
  [`try again in ${"9".repeat(400)}s`, null],
  ["", null],
])("%j asks to wait %j ms", (said, ms) => expect(waitIn(null, said)).toBe(ms));

test.each<[unknown, number | null]>([
  [{ error: { details: [{ retryDelay: "29s" }] } }, 29_000],
  [{ details: [null, { retryDelay: 7 }, { retryDelay: "1.5s" }] }, 1_500],
  [{ error: { details: "29s" } }, null],
  [{ error: null }, null],
  ["29s", null],
])("%j asks to wait %j ms", (body, ms) => expect(waitIn(body, null)).toBe(ms));
