import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCached, parseCost } from "../../../src/engine/cost/lines.ts";
import { addNanos, dollarsText, MOST_NANOS, nanosOf, readDollars } from "../../../src/engine/cost/money.ts";
import { costOf, findPrice, isFree, MOST_PRICE, type Price, type PriceRow } from "../../../src/engine/cost/price.ts";

const dollars = (price: number) => Math.round(price * 1_000_000);
const sonnet: Price = { input: dollars(3), output: dollars(15), cacheRead: dollars(0.3), cacheWrite: dollars(3.75) };
const plain: Price = { ...sonnet, cacheRead: null, cacheWrite: null };

describe("what a response costs", () => {
  test.each([
    ["input and output", sonnet, { input: 1_000_000, output: 0 }, "3"],
    ["output", sonnet, { input: 0, output: 1_000_000 }, "15"],
    ["both", sonnet, { input: 1234, output: 567 }, "0.012207"],
    ["nothing", sonnet, { input: 0, output: 0 }, "0"],
    ["most of it from the cache", sonnet, { input: 100_000, output: 1000, cacheRead: 90_000, cacheWrite: 8000 }, "0.078"],
    ["cached tokens without a price of their own", plain, { input: 100_000, output: 0, cacheRead: 90_000, cacheWrite: 8000 }, "0.3"],
    ["more cached than there was input", sonnet, { input: 10, output: 0, cacheRead: 20 }, "0.000006"],
    ["a nanodollar, rounded", { ...plain, input: 37_500, output: 0 }, { input: 1, output: 0 }, "0.000000038"],
    ["less than half of one", { ...plain, input: 499, output: 0 }, { input: 1, output: 0 }, "0"],
    ["a free model", { input: 0, output: 0, cacheRead: null, cacheWrite: null }, { input: 5, output: 5 }, "0"],
  ])("%s", (_what, price, usage, cost) => expect(dollarsText(costOf(usage, price))).toBe(cost));

  test("is exact where numbers are not, and never more than can be summed", () => {
    expect(costOf({ input: 9_007_199_254_740_991, output: 0 }, { ...plain, input: MOST_PRICE })).toBe(MOST_NANOS);
    expect(costOf({ input: 1_000_000_007, output: 0 }, { ...plain, input: 999_983 })).toBe(
      999_983_007_000 + Math.round((7 * 999_983) / 1000) - 7000,
    );
  });

  test("free is what costs nothing whatever is asked", () => {
    expect(isFree({ input: 0, output: 0, cacheRead: null, cacheWrite: 0 })).toBe(true);
    expect(isFree({ input: 0, output: 0, cacheRead: null, cacheWrite: 1 })).toBe(false);
    expect(isFree(sonnet)).toBe(false);
  });
});

describe("money", () => {
  test.each([
    [0, "0"],
    [1, "0.000000001"],
    [34_500_000, "0.0345"],
    [1_000_000_000, "1"],
    [1_010_000_000, "1.01"],
    [MOST_NANOS, "999999.999999999"],
  ])("%d nanodollars are %s", (nanos, text) => {
    expect(dollarsText(nanos)).toBe(text);
    expect(readDollars(text)).toBe(nanos);
  });
  test("what is written is read again", () =>
    fc.assert(fc.property(fc.integer({ min: 0, max: MOST_NANOS }), (nanos) => readDollars(dollarsText(nanos)) === nanos)));
  test.each(["", "1.", ".5", "-1", "1e3", "1,5", "1.0000000001", "1000000", " 1", "0x1", "١"])("%j is no amount", (text) =>
    expect(readDollars(text)).toBeNull(),
  );
  test.each([
    [0.1 + 0.2, 300_000_000],
    [0, 0],
    [-1, null],
    [Number.NaN, null],
    [Infinity, null],
    [1e9, null],
    ["1", null],
    [null, null],
  ])("%j dollars as somebody reports them", (reported, nanos) => expect(nanosOf(reported)).toBe(nanos));
  test("a sum stops at the most", () => expect(addNanos(MOST_NANOS, 1)).toBe(MOST_NANOS));
});

describe("the lines of a file", () => {
  test.each([
    ["0.0345 USD", { nanos: 34_500_000, reported: false }],
    ["2 USD reported", { nanos: 2_000_000_000, reported: true }],
    ["0.0345", null],
    ["0.0345 EUR", null],
    ["-1 USD", null],
    ["1 USD ", null],
    ["1 USD reported twice", null],
    ["", null],
  ])("%j", (value, cost) => expect(parseCost(value)).toEqual(cost));
  test.each([
    ["read=900 write=20", { read: 900, write: 20 }],
    ["read=900", null],
    ["read=-1 write=0", null],
  ])("%j", (value, cached) => expect(parseCached(value)).toEqual(cached));
});

describe("which price is a model's", () => {
  const row = (origin: string, model: string): PriceRow => ({ origin, model, ...plain });
  const rows = [
    row("https://a", "*"),
    row("https://a", "gpt-5*"),
    row("https://a", "gpt-5-mini"),
    row("https://b", "gpt-5"),
    row("https://a", "gpt-*"),
  ];
  test.each([
    ["https://a", "gpt-5-mini", "gpt-5-mini"],
    ["https://a", "gpt-5-nano", "gpt-5*"],
    ["https://a", "gpt-5", "gpt-5*"],
    ["https://a", "gpt-4o", "gpt-*"],
    ["https://a", "llama", "*"],
    ["https://b", "gpt-5", "gpt-5"],
    ["https://b", "gpt-5-mini", undefined],
    ["https://c", "gpt-5", undefined],
  ])("%s %s", (origin, model, found) => expect(findPrice(rows, origin, model)?.model).toBe(found));
});
