import { describe, expect, test } from "vitest";
import { barsOf, scaleTop } from "../../../src/app/cost/bars.ts";
import { costLimitWords, costStopWords, money, moneyExact, readCostLimit, readCostStop } from "../../../src/app/cost/money.ts";
import { readRow, shownPrice, type Typed, typedRow } from "../../../src/app/cost/price-form.ts";
import { rowsOf, sorted } from "../../../src/app/cost/rows.ts";
import { authorityLines } from "../../../src/app/docs/authority.ts";
import { stopWords } from "../../../src/app/dialogs/frames.ts";
import { parseRoute, formatRoute } from "../../../src/app/model/route.ts";
import type { CostReport, CostSum } from "../../../src/protocol/index.ts";
import { costLimitOf, reachedWords } from "../../../src/engine/cost/limit.ts";

const en = { locale: "en" };

describe("money in words", () => {
  test.each([
    [0, "$0.00"],
    [1, "less than $0.0001"],
    [99_999, "less than $0.0001"],
    [100_000, "$0.0001"],
    [1_234_567, "$0.0012"],
    [12_345_678, "$0.012"],
    [50_000_000, "$0.05"],
    [123_456_789, "$0.12"],
    [994_000_000, "$0.99"],
    [995_000_000, "$1.00"],
    [12_345_678_901, "$12.35"],
    [1_234_567_000_000_000, "$1,234,567.00"],
  ])("%d nanodollars are %s", (nanos, words) => expect(money(nanos, en)).toBe(words));
  test("exactly", () => {
    expect(moneyExact(0, en)).toBe("0 US dollars");
    expect(moneyExact(1_500_000_001, en)).toBe("1.500000001 US dollars");
    expect(moneyExact(20_000_000_000, en)).toBe("20 US dollars");
  });
});

describe("the limit", () => {
  test.each([
    "cost 5",
    "cost 2.50 a day",
    "cost 0 a week",
    "cost 1 a month",
    "cost five",
    "cost 5 a year",
    "cost 1.0000000001",
    "cost -1",
    "agents 4",
  ])("%j reads on the screen as in the engine", (value) => expect(readCostLimit(value)).toEqual(costLimitOf(`> Limit: ${value}`)));
  test("in words", () => {
    expect(costLimitWords(5_000_000_000, null)).toBe("Spending limit: $5.00 for this project. Then agents wait for you.");
    expect(costLimitWords(2_500_000_000, "day")).toBe("Spending limit: $2.50 in any 24 hours. Then agents wait for you.");
    expect(authorityLines("> Limit: cost 1\n> Limit: cost 2 a week\n> Limit: cost two\n").map(({ meaning }) => meaning)).toEqual([
      "Ignored: a later line sets this limit.",
      "Spending limit: $2.00 in any 7 days. Then agents wait for you.",
      "Ignored: write it as “cost 5” or “cost 2.50 a day”. The amount is in US dollars; the period is day, week, or month.",
    ]);
  });
  test.each([null, "day", "week", "month"] as const)("what the engine writes at the limit of a %s is read", (period) =>
    expect(readCostStop(`limit ${reachedWords(5_020_000_000, { nanos: 5_000_000_000, period })}`)).toEqual({
      kind: "reached",
      spent: 5_020_000_000,
      limit: 5_000_000_000,
      period,
    }),
  );
  test.each([
    ["limit cost unknown", "unknown"],
    ["limit cost unreadable", "unreadable"],
    ["limit cost", "bare"],
    ["limit requests in one turn", undefined],
    ["limit cost (a of b USD)", undefined],
    ["error limit cost", undefined],
    [null, undefined],
  ])("%j", (stop, kind) => expect(readCostStop(stop)?.kind).toBe(kind));
  test("says why the agent waits", () => {
    expect(stopWords("limit cost (5.02 of 5 USD a day)")).toBe(
      "Spending limit reached: $5.02 of $5.00 in 24 hours. Nothing was sent to the provider.",
    );
    expect(costStopWords({ kind: "unknown" })).toContain("this model's cost is unknown");
    expect(stopWords("limit cost unreadable")).toContain("the file of this dialog is damaged");
    expect(stopWords("limit requests in one turn")).toBe("Limit reached: requests in one turn.");
  });
});

describe("a price as it is typed", () => {
  const row: Typed = {
    origin: "https://api.example/v1",
    model: "gpt-*",
    input: "$0,15",
    output: "15",
    cacheRead: "",
    cacheWrite: " 3.75 ",
  };
  test("is read, and shown again", () => {
    const price = { origin: "https://api.example", model: "gpt-*", input: 0.15, output: 15, cacheRead: null, cacheWrite: 3.75 };
    expect(readRow(row)).toEqual({ ok: true, price });
    expect(typedRow(price)).toEqual({
      origin: "https://api.example",
      model: "gpt-*",
      input: "0.15",
      output: "15",
      cacheRead: "",
      cacheWrite: "3.75",
    });
    expect(typedRow({ ...price, input: 0.000001 }).input).toBe("0.000001");
    expect([shownPrice(0.6), shownPrice(null)]).toEqual(["$0.60", null]);
  });
  test.each([
    ["origin", ""],
    ["origin", "api.example"],
    ["origin", "https://"],
    ["model", ""],
    ["model", "a model"],
    ["model", "a*b"],
    ["input", ""],
    ["input", "-1"],
    ["output", "1e3"],
    ["output", "1.0000001"],
    ["input", "100001"],
    ["input", "1,250"],
    ["output", "$100,000"],
    ["cacheRead", "free"],
    ["cacheWrite", "1.2.3"],
  ] as const)("%s: %j is wrong, and named", (field, typed) =>
    expect(readRow({ ...row, [field]: typed })).toMatchObject({ ok: false, field }),
  );
});

test("a comma that can be read in two ways is told with both", () => {
  const typed = { origin: "https://api.example", model: "m", input: "1,250", output: "0,375", cacheRead: "", cacheWrite: "12,5" };
  expect(readRow(typed)).toMatchObject({ ok: false, why: expect.stringContaining("Write 1250 or 1.250.") });
  expect(readRow({ ...typed, input: "1,25" })).toMatchObject({ ok: true, price: { input: 1.25, output: 0.375, cacheWrite: 12.5 } });
});

const sum = (nanos: number, more: Partial<CostSum> = {}): CostSum => ({
  nanos,
  responses: 1,
  unpriced: 0,
  input: nanos,
  output: 0,
  ...more,
});
const days = (from: string, to: string, ...spent: readonly (readonly [string, number])[]) => ({
  from,
  to,
  days: spent.map(([day, nanos]) => ({ day, ...sum(nanos) })),
});

describe("the bars", () => {
  test("one a day, also where nothing was spent, over the end of a month and a change of the clocks", () => {
    const bars = barsOf(days("2026-03-28", "2026-04-01", ["2026-03-29", 5], ["2026-04-01", 7]));
    expect(bars.map(({ from, nanos }) => `${from.slice(5)} ${nanos}`)).toEqual(["03-28 0", "03-29 5", "03-30 0", "03-31 0", "04-01 7"]);
  });
  test("one a month, where days are too many", () => {
    const bars = barsOf(days("2025-11-30", "2026-03-01", ["2025-11-30", 1], ["2026-01-31", 2], ["2026-01-01", 3]));
    expect(bars.map(({ from, unit, nanos }) => `${from} ${unit} ${nanos}`).slice(0, 3)).toEqual([
      "2025-11-30 day 1",
      "2025-12-01 day 0",
      "2025-12-02 day 0",
    ]);
    const months = barsOf(days("2025-10-31", "2026-03-01", ["2025-10-31", 1], ["2026-01-31", 2], ["2026-01-01", 3]));
    expect(months.map(({ from, unit, nanos }) => `${from} ${unit} ${nanos}`)).toEqual([
      "2025-10-01 month 1",
      "2025-11-01 month 0",
      "2025-12-01 month 0",
      "2026-01-01 month 5",
      "2026-02-01 month 0",
      "2026-03-01 month 0",
    ]);
  });
  test("none of nothing, and never without end", () => {
    expect(barsOf({ from: null, to: null, days: [] })).toEqual([]);
    expect(barsOf(days("0001-01-01", "9999-12-31")).length).toBeLessThanOrEqual(600);
  });
  test.each([
    [0, 0],
    [1, 1],
    [2.2, 2.5],
    [6, 7.5],
    [760, 1000],
    [12_000_000, 15_000_000],
  ])("a scale for %d ends at %d", (most, top) => expect(scaleTop(most)).toBe(top));
});

describe("the table", () => {
  const report: CostReport = {
    total: sum(6),
    byList: null,
    from: null,
    to: null,
    damaged: 0,
    days: [],
    models: [{ provider: "openai", model: "", ...sum(1) }],
    dialogs: [
      { dialogId: "20261121-201100-b", ...sum(2, { responses: 9 }) },
      { dialogId: "20261121-201100-a", ...sum(4) },
      { dialogId: "20261121-201100-c", ...sum(3) },
    ],
  };
  const order = (column: Parameters<typeof sorted>[1], up: boolean) =>
    sorted(rowsOf(report, "dialog"), column, up)
      .map(({ title }) => title)
      .join("");
  test("is sorted by any column, and of equals the dearer first", () => {
    expect([order("nanos", false), order("nanos", true), order("name", true), order("name", false)]).toEqual(["acb", "bca", "abc", "cba"]);
    expect([order("responses", false), order("responses", true), order("output", true)]).toEqual(["bac", "acb", "acb"]);
  });
  test("leads to the dialogs, and names what has no name", () => {
    expect(rowsOf(report, "dialog")[0]?.href).toBe("#/dialogs/20261121-201100-b");
    expect(rowsOf(report, "model").map(({ title }) => title)).toEqual(["unknown model"]);
    expect(rowsOf(report, "day")).toEqual([]);
  });
});

test.each([
  ["#/cost", { tab: "cost", page: "cost" }, "#/cost"],
  ["#/cost/prices", { tab: "cost", page: "prices" }, "#/cost/prices"],
  ["#/cost/other", { tab: "cost", page: "cost" }, "#/cost"],
])("the way to %s", (hash, route, back) => {
  expect(parseRoute(hash)).toEqual(route);
  expect(formatRoute(parseRoute(hash))).toBe(back);
});
