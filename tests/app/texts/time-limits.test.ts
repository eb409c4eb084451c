import { expect, test } from "vitest";
import { seconds } from "../../../src/app/texts/time-limits.ts";

test.each([
  [30, "30 s"],
  [90, "1 min 30 s"],
  [120, "2 min"],
  [3_600, "1 hour"],
])("%i seconds are %s", (count, words) => {
  expect(seconds(count)).toBe(words);
});
