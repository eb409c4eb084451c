import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DialogAnswer, PricesAnswer } from "../../../src/protocol/index.ts";
import { costLines, parseCost, parsePrice, type UsedPrice } from "../../../src/engine/cost/lines.ts";
import { listDate, listTable } from "../../../src/engine/cost/list-table.ts";
import { openListPrices } from "../../../src/engine/cost/list.ts";
import { costOf, type Price, priceOf } from "../../../src/engine/cost/price.ts";
import type { ProviderEvent } from "../../../src/engine/providers/provider.ts";
import { type Bench, bench, ended } from "../harness.ts";

const noon = new Date("2026-11-23T12:00:00Z");
/** `3 15 0.3 3.75`: dollars per million tokens of input, output, cache reads and cache writes. */
const words = (price: Price | null) =>
  price === null
    ? null
    : [price.input, price.output, price.cacheRead, price.cacheWrite].map((micros) => (micros === null ? "-" : micros / 1e6)).join(" ");

describe("a table of list prices", () => {
  const at = "https://api.example";
  const table = [
    at,
    "a-1\t^a-1$\t1 2 - -",
    "a-2\t^a-2~\t3 4 0.1 0.2 >200000 6 8 0.2 0.4 >500000 7 9 - -",
    "a-3\t^a-3$|^three$\t1 1 - -;2 2 - - @2026-11-23;9 9 - - @22:00-02:00;8 8 - - @09:00-10:30",
    "https://other.example",
    "a-1\t^a-1$\t5 5 - -",
  ].join("\n");
  const list = openListPrices(table, "2026-11-01");

  test.each<[string, string, string | null]>([
    [at, "a-1", "1 2 - -"],
    ["https://other.example", "a-1", "5 5 - -"],
    ["https://third.example", "a-1", null],
    [at, "A-1", "1 2 - -"],
    [at, "a-10", null],
    [at, "three", "2 2 - -"],
    [at, "a-2", "3 4 0.1 0.2"],
    [at, "a-2-20260901", "3 4 0.1 0.2"],
    [at, "a-2-2026-09-01", "3 4 0.1 0.2"],
    [at, "a-2-latest", "3 4 0.1 0.2"],
    [at, "a-2-08-2024", "3 4 0.1 0.2"],
    [at, "a-2-5", null],
    [at, "a-2.5-20260901", null],
    [at, "a-2-5-20260901", null],
    [at, "a-2-10", null],
    [at, "a-2-mini", null],
    [at, "a-2-preview-lite", null],
  ])("%s %s: %s", (origin, model, expected) => {
    expect(words(list.of(origin, model, noon))).toBe(expected);
  });

  test.each([
    ["2026-11-22T12:00:00Z", "1 1 - -"],
    ["2026-11-23T00:00:00Z", "9 9 - -"],
    ["2026-11-23T02:00:00Z", "2 2 - -"],
    ["2026-11-23T10:29:59Z", "8 8 - -"],
    ["2026-11-23T10:30:00Z", "2 2 - -"],
    ["2026-11-23T23:00:00Z", "9 9 - -"],
  ])("prices of a day and of an hour: %s", (time, expected) => {
    expect(words(list.of(at, "a-3", new Date(time)))).toBe(expected);
  });

  test.each([
    [200_000, "3 4 0.1 0.2"],
    [200_001, "6 8 0.2 0.4"],
    [500_001, "7 9 - -"],
  ])("%d tokens cost %s", (input, expected) => {
    const price = list.of(at, "a-2", noon);
    expect(price && words(priceOf({ input, output: 0 }, price))).toBe(expected);
  });
});

describe("the list that comes with Vibey", () => {
  const list = openListPrices();

  test("has a day, and each of its models has a price by its own name", () => {
    expect(listDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    const origins = listTable.split("\n").filter((line) => line.startsWith("https://"));
    expect(origins.length).toBeGreaterThan(8);
    const lost = origins.flatMap((origin) =>
      list.rows(origin, noon).flatMap(({ model }) => (list.of(origin, model, noon) ? [] : [`${origin} ${model}`])),
    );
    expect(lost).toEqual([]);
  });

  test.each([
    ["https://api.anthropic.com", "claude-opus-4-5-20251101", "5 25 0.5 6.25"],
    ["https://api.anthropic.com", "claude-sonnet-4-5", "3 15 0.3 3.75"],
    ["https://api.openai.com", "gpt-4o-mini", "0.15 0.6 0.075 -"],
    ["https://api.anthropic.com", "claude-sonnet-99", null],
    ["https://api.openai.com", "claude-sonnet-4-5", null],
    ["https://gateway.example", "gpt-4o-mini", null],
  ])("%s %s: %s", (origin, model, expected) => {
    expect(words(list.of(origin, model, new Date(`${listDate}T12:00:00Z`)))).toBe(expected);
  });
});

describe("a cost in a file", () => {
  const micros = fc.integer({ min: 0, max: 1_000_000_000 });
  const maybe = fc.option(micros, { nil: null });
  const used: fc.Arbitrary<UsedPrice> = fc.record({
    price: fc.record({ input: micros, output: micros, cacheRead: maybe, cacheWrite: maybe }),
    source: fc.constantFrom({ by: "you" }, { by: "provider" }, { by: "list", date: "2026-09-23" }),
  });
  const tokens = fc.integer({ min: 0, max: 10_000_000 });

  test("says by which price it was computed, so that it can be computed again", () => {
    fc.assert(
      fc.property(used, tokens, tokens, tokens, (price, input, output, cacheRead) => {
        const usage = { input, output, cacheRead };
        const nanos = costOf(usage, price.price);
        const lines = costLines({ format: 1, head: [], parts: [], sections: [] }, { nanos, reported: false, price });
        const value = (key: string) => lines.find((line) => line.key === key)?.value ?? "";
        const read = parsePrice(value("Price"));
        expect(read).toEqual(price);
        expect(parseCost(value("Cost"))?.nanos).toBe(costOf(usage, read?.price ?? price.price));
      }),
    );
  });

  test.each([
    "input=3 output=15 USD a million",
    "input=3 USD a million, yours",
    "input=3 output=15 USD a million, list of today",
    "input=-3 output=15 USD a million, yours",
    "input=3 output=15 USD a million, yours and more",
  ])("%j is no price", (value) => expect(parsePrice(value)).toBeNull());

  const reply: readonly ProviderEvent[] = [
    { type: "text", text: "Done." },
    { type: "usage", usage: { input: 1_000_000, output: 100_000 } },
    ended,
  ];
  const ask = async (b: Bench, model: string) => {
    await b.ask("PUT", "/provider/claude", { baseURL: "https://api.anthropic.com" });
    await b.frames(await b.ask("POST", "/dialog", { provider: "claude", model, prompt: "Go" }));
    return (await b.dialog()).markdown.split("\n").filter((line) => /^> (Cost|Price)/.test(line));
  };

  test("is by the list price where nobody says another", async () => {
    const b = await bench([reply]);
    expect(await ask(b, "claude-opus-4-5")).toEqual([
      "> Cost: 7.5 USD",
      `> Price: input=5 output=25 read=0.5 write=6.25 USD a million, list of ${listDate}`,
      "> Cost cumulative: 7.5 USD",
    ]);
    const { id } = await b.dialog();
    const view = (await (await b.ask("GET", `/dialog/${id}`)).json()) as DialogAnswer;
    expect(view.messages.at(-1)).toMatchObject({ cost: { nanos: 7_500_000_000, price: { source: { list: listDate } } } });
    expect(view.messages.at(-1)?.parts.filter(({ kind }) => kind === "meta")).toEqual([]);
    const prices = (await (await b.ask("GET", "/prices")).json()) as PricesAnswer;
    expect(prices.builtIn?.prices.find(({ model }) => model === "claude-opus-4-5")).toMatchObject({ input: 5, output: 25 });
  });

  test("is by the human's own price where there is one", async () => {
    const b = await bench([reply]);
    await b.ask("PUT", "/prices", { prices: [{ origin: "https://api.anthropic.com", model: "claude-*", input: 1, output: 2 }] });
    expect(await ask(b, "claude-opus-4-5")).toEqual([
      "> Cost: 1.2 USD",
      "> Price: input=1 output=2 USD a million, yours",
      "> Cost cumulative: 1.2 USD",
    ]);
  });

  test("is not guessed of a model that no list knows", async () => {
    expect(await ask(await bench([reply]), "claude-sonnet-99")).toEqual([]);
  });
});
