import { expect, test } from "vitest";
import { showUntilShort } from "../../chaos/floods/showings.ts";

test.each<[what: string, took: number[], ms: number, times: number]>([
  ["short at once", [100], 100, 1],
  ["as long as it may be", [200], 200, 1],
  ["short the third time", [900, 300, 150, 10], 150, 3],
  ["never short", [900, 800, 700, 500, 600, 650, 1], 500, 6],
  ["frozen at once", [Infinity, 10], Infinity, 1],
  ["frozen the second time", [300, Infinity, 10], Infinity, 2],
])("a text whose task is %s", async (_, took, ms, times) => {
  const pages: boolean[] = [];
  const show = async (isAgain: boolean) => {
    pages.push(isAgain);
    return took[pages.length - 1] ?? NaN;
  };
  expect(await showUntilShort(show, 200)).toEqual({ ms, times });
  expect(pages).toEqual([false, ...Array.from({ length: times - 1 }, () => true)]);
});
