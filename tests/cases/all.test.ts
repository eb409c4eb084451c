import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Cases without a test, and why. */
const without: Readonly<Record<number, string>> = {
  26: "Agents are flat: launch_agent returns at once, and a launched agent's failure or stop is its own.",
};

const folder = new URL(".", import.meta.url);
const titles = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts"))
  .flatMap((name) => Array.from(readFileSync(new URL(name, folder), "utf8").matchAll(/["`](\d+)\. \S/g), ([, number]) => Number(number)));

test("each of the 82 cases is a test, or has a reason not to be", () => {
  const numbers = Array.from({ length: 82 }, (_, index) => index + 1);
  expect(numbers.filter((number) => !titles.includes(number) && !(number in without))).toEqual([]);
  expect(titles.filter((number) => number < 1 || number > 82 || number in without)).toEqual([]);
});
