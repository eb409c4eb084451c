import { describe, expect, test } from "vitest";
import type { CostFrame, CostReport, PricesAnswer } from "../../../src/protocol/index.ts";
import { listDate } from "../../../src/engine/cost/list-table.ts";
import { createLedger } from "../../../src/engine/cost/ledger.ts";
import { costReport, dayOf, firstOf } from "../../../src/engine/cost/report.ts";
import type { Path } from "../../../src/fs/path.ts";
import { memoryFiles } from "../../../src/fs/memory.ts";
import { type Bench, bench } from "../harness.ts";

const origin = "https://api.example";
const row = { origin, model: "model-1", input: 3, output: 15 };
const stored = { ...row, cacheRead: null, cacheWrite: null };
const prices = async (b: Bench) => (await (await b.ask("GET", "/prices")).json()) as PricesAnswer;

describe("/prices", () => {
  test("what is given is what there is, with what was not said as null, and takes the place of what was there", async () => {
    const b = await bench();
    expect(await prices(b)).toEqual({ own: [], listed: [], builtIn: { date: listDate, prices: [] }, origins: [origin] });
    const second = { origin: `${origin}/v1/`, model: " gpt-* ", input: 0.0375, output: 0, cacheRead: 0.000001, cacheWrite: null };
    const answer = await b.ask("PUT", "/prices", { prices: [row, second] });
    const own = [stored, { origin, model: "gpt-*", input: 0.0375, output: 0, cacheRead: 0.000001, cacheWrite: null }];
    expect(await answer.json()).toEqual({ own, listed: [], builtIn: { date: listDate, prices: [] }, origins: [origin] });
    expect((await prices(b)).own).toEqual(own);
    await b.ask("PUT", "/prices", { prices: [] });
    expect((await prices(b)).own).toEqual([]);
  });

  const dollars = "expected dollars a million tokens: 0 to 100000, with six decimals at most";
  test.each([
    ["no list", {}, "prices: expected"],
    ["an object", { prices: {} }, "prices: expected a list of prices"],
    ["the same twice", { prices: [row, row] }, "prices: expected one price a model"],
    ["below nothing", { prices: [{ ...row, input: -1 }] }, `prices.0.input: ${dollars}`],
    ["text", { prices: [row, { ...row, model: "b", output: "1" }] }, `prices.1.output: ${dollars}`],
    ["too fine", { prices: [{ ...row, input: 0.0000001 }] }, `prices.0.input: ${dollars}`],
    ["too dear", { prices: [{ ...row, input: 100_001 }] }, `prices.0.input: ${dollars}`],
    ["beyond numbers", { prices: [{ ...row, cacheRead: Number.MAX_VALUE }] }, `prices.0.cacheRead: ${dollars}`],
    ["a space", { prices: [{ ...row, model: "a b" }] }, "prices.0.model: expected a model ID, or its beginning followed by *"],
    ["a star within", { prices: [{ ...row, model: "a*b" }] }, "prices.0.model: expected"],
    ["no name", { prices: [{ ...row, model: "" }] }, "prices.0.model: expected"],
    ["no address", { prices: [{ ...row, origin: "api.example" }] }, "prices.0.origin: expected an address such as https://api.example.com"],
    ["no web address", { prices: [{ ...row, origin: "file:///a" }] }, "prices.0.origin: expected"],
    [
      "too many",
      { prices: Array.from({ length: 1001 }, (_, at) => ({ ...row, model: `m${at}` })) },
      "prices: expected at most 1000 prices",
    ],
  ])("a mistake is named, and nothing is changed: %s", async (_what, body, error) => {
    const b = await bench();
    await b.ask("PUT", "/prices", { prices: [row] });
    const answer = await b.ask("PUT", "/prices", body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toContain(error);
    expect((await prices(b)).own).toEqual([stored]);
  });
});

/** Noon of a day in November in this device's time zone. */
const noon = (day: number) => new Date(2026, 10, day, 12).toISOString();
const file = (cost: string, time = noon(21), model = "model-1") =>
  `# Dialog\n> Format: 1\n> Provider: claude | Model: ${model}\n\n## User\n\nGo.\n\n## Assistant\n> Time: ${time} - ${time}\n\nDone.\n\n> Usage: input=10 output=2 total=12\n${cost === "" ? "" : `> Cost: ${cost} USD\n`}`;
const nameOf = (nth: number, status = "done") => `dialog-20261121-120000-d${nth}-${status}.md`;
const frames = async (answer: Response) =>
  (await answer.text())
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block): CostFrame => JSON.parse(block.slice("data: ".length)));
const reportOf = (all: readonly CostFrame[]): CostReport => {
  const last = all.at(-1);
  if (last?.type !== "report") throw new Error("no report");
  return last;
};

describe("/cost", () => {
  test("of nothing is nothing", async () => {
    const b = await bench();
    const nothing = { nanos: 0, responses: 0, unpriced: 0, input: 0, output: 0 };
    const report = { type: "report", total: nothing, byList: null, from: null, to: null, days: [], models: [], dialogs: [], damaged: 0 };
    expect(await frames(await b.ask("GET", "/cost"))).toEqual([{ type: "progress", done: 0, total: 0 }, report]);
  });

  test("by day, by model and by dialog, the dearest first, and how many responses nobody knows the cost of", async () => {
    const b = await bench([], { now: () => new Date(2026, 10, 21, 20) });
    const texts = [file("1"), file("2.5", noon(20), "model-2"), file(""), file("0.25", noon(20))];
    for (const [nth, content] of texts.entries()) await b.ask("POST", `/file/${nameOf(nth)}`, { content });
    const report = reportOf(await frames(await b.ask("GET", "/cost")));
    expect(report.total).toEqual({ nanos: 3_750_000_000, responses: 4, unpriced: 1, input: 40, output: 8 });
    expect(report.days.map(({ day, nanos, responses }) => [day, nanos, responses])).toEqual([
      ["2026-11-20", 2_750_000_000, 2],
      ["2026-11-21", 1_000_000_000, 2],
    ]);
    expect(report.models.map(({ provider, model, nanos }) => [provider, model, nanos])).toEqual([
      ["claude", "model-2", 2_500_000_000],
      ["claude", "model-1", 1_250_000_000],
    ]);
    expect(report.dialogs.map(({ dialogId, nanos }) => [dialogId.slice(16), nanos])).toEqual([
      ["d1", 2_500_000_000],
      ["d0", 1_000_000_000],
      ["d3", 250_000_000],
      ["d2", 0],
    ]);
    const today = reportOf(await frames(await b.ask("GET", "/cost?days=1")));
    expect(today.total).toMatchObject({ nanos: 1_000_000_000, responses: 2, unpriced: 1 });
    expect([today.from, today.to]).toEqual(["2026-11-21", "2026-11-21"]);
    expect(today.dialogs).toHaveLength(2);
  });

  test("says how many responses were computed by list prices, and of which days the lists are", async () => {
    const b = await bench([], { now: () => new Date(2026, 10, 21, 20) });
    const price = (of: string) => `1 USD\n> Price: input=3 output=15 USD a million, ${of}`;
    const texts = [price("list of 2026-09-23"), price("list of 2026-10-30"), price("yours"), "1", price("list of tomorrow")];
    for (const [nth, cost] of texts.entries()) {
      await b.ask("POST", `/file/${nameOf(nth)}`, { content: file(cost).replace(/( million, .*) USD$/m, "$1") });
    }
    const report = reportOf(await frames(await b.ask("GET", "/cost")));
    expect(report.byList).toEqual({ responses: 2, from: "2026-09-23", to: "2026-10-30" });
  });

  test.each(["0", "-1", "x", "1.5", "99999", ""])("days=%s is refused", async (days) => {
    const answer = await (await bench()).ask("GET", `/cost?days=${days}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error: "days: expected a whole number, 1 to 3660" });
  });
});

describe("days", () => {
  test("are those of this device's clock, and today is the last of them", () => {
    const now = new Date(2026, 2, 1, 0, 30);
    expect(dayOf(now.getTime())).toBe("2026-03-01");
    expect(dayOf(firstOf(1, now))).toBe("2026-03-01");
    expect(dayOf(firstOf(2, now))).toBe("2026-02-28");
    expect(dayOf(firstOf(2, now) - 1)).toBe("2026-02-27");
  });
  test("a response without a time counts where everything does", () => {
    const dialogs = [{ dialogId: "a", responses: [{ time: null, provider: "p", model: "m", nanos: 5, input: 1, output: 1 }] }];
    const now = new Date(2026, 2, 1);
    const damaged = { dialogId: "damaged", responses: [], damaged: true } as const;
    expect(costReport([...dialogs, damaged], null, now)).toMatchObject({ damaged: 1, total: { nanos: 5 } });
    expect(costReport(dialogs, null, now)).toMatchObject({ damaged: 0, total: { nanos: 5 }, days: [], from: null });
    expect(costReport(dialogs, firstOf(30, now), now).total.responses).toBe(0);
  });
});

describe("the ledger", () => {
  const vibey = (name: string) => `vibey/${name}` as Path;
  const storedAt = Date.UTC(2026, 10, 21, 13);
  async function project(count: number, now = storedAt) {
    const files = memoryFiles({ now: () => now });
    const read: string[] = [];
    const changes = Array.from({ length: count }, (_, nth) => ({ op: "write", path: vibey(nameOf(nth)), data: file("1") }) as const);
    if (count > 0) await files.commit(changes, { durability: "relaxed" });
    const ledger = createLedger(
      {
        list: (prefix) => files.list(prefix),
        readMany: (paths) => {
          read.push(...paths);
          return files.readMany(paths);
        },
      },
      async () => undefined,
    );
    return { files, ledger, read };
  }

  test("reads a file once, then only what has changed, and forgets what is gone", async () => {
    const { files, ledger, read } = await project(3);
    expect(await ledger.read()).toHaveLength(3);
    expect(await ledger.read()).toHaveLength(3);
    expect(read).toHaveLength(3);
    await files.commit(
      [
        { op: "append", path: vibey(nameOf(1)), data: file("2").slice(60) },
        { op: "remove", path: vibey(nameOf(0)) },
      ],
      { durability: "relaxed" },
    );
    expect((await ledger.read()).map(({ responses }) => responses.length)).toEqual([2, 1]);
    expect(read.slice(3)).toEqual([vibey(nameOf(1))]);
  });
  test("of two thousand dialogs tells how far it is, and ends when nobody waits any more", async () => {
    const { ledger, read } = await project(2_000);
    const told: number[] = [];
    const stop = new AbortController();
    const progress = (done: number, total: number) => {
      told.push(done);
      expect(total).toBe(2_000);
      if (done > 1_000) stop.abort(new Error("nobody waits"));
    };
    await expect(ledger.read({ progress, signal: stop.signal })).rejects.toThrow("nobody waits");
    expect(read.length).toBeLessThan(1_500);
    // Files that were read aren't read again.
    const rest = await ledger.read();
    expect(rest).toHaveLength(2_000);
    expect(read).toHaveLength(2_000);
    expect(told[0]).toBe(0);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });
  test("finds a dialog whose file gets its other name while it is looked for", async () => {
    const { files, ledger } = await project(2);
    let renamed = false;
    const moving = createLedger(
      {
        list: (prefix) => files.list(prefix),
        async readMany(paths) {
          if (!renamed)
            await files.commit([{ op: "rename", from: vibey(nameOf(1)), to: vibey(nameOf(1, "waiting")) }], { durability: "relaxed" });
          renamed = true;
          return files.readMany(paths);
        },
      },
      async () => undefined,
    );
    expect(await moving.read()).toEqual(await ledger.read());
  });
  test("many who ask at one time read each file once, and one who leaves keeps nobody from it", async () => {
    const { ledger, read } = await project(200);
    const left = ledger.read({ signal: AbortSignal.abort(new Error("left")) });
    const all = Promise.all(Array.from({ length: 10 }, () => ledger.read()));
    await expect(left).rejects.toThrow("left");
    expect((await all).map((dialogs) => dialogs.length)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(read).toHaveLength(200);
  });
  test("leaves out what was not changed since", async () => {
    const { ledger, read } = await project(2);
    expect(await ledger.read({ since: storedAt + 1 })).toEqual([]);
    expect(read).toEqual([]);
  });
  test("a file's time that is older than its dialog is not believed", async () => {
    const { ledger } = await project(2, Date.UTC(1980, 0, 1));
    expect(await ledger.read({ since: storedAt + 1 })).toHaveLength(2);
  });
});
