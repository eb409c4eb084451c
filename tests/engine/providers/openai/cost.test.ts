// What servers report about costs: prices in their lists of models, and the cost of a response in its usage.
import { describe, expect, test } from "vitest";
import { countedUsage, usageOf } from "../../../../src/engine/providers/usage.ts";
import { testMemory } from "../memory.ts";
import { bench, collect, providerOn, request } from "./setup.ts";
import { fake, refusing, streaming } from "./fake.ts";
import { say } from "../../../stand-in/openai.ts";

const signal = () => new AbortController().signal;

describe("prices", () => {
  const listed = (pricing: unknown) => ({ id: "maker/model", pricing });
  async function pricesOf(...data: readonly object[]) {
    const memory = testMemory();
    const provider = providerOn(fake(() => refusing(200, { data })).fetch, { memory });
    expect(provider.prices?.()).toEqual([]);
    await provider.models(signal());
    return provider.prices?.();
  }
  const price = (input: number, output: number, cacheRead: number | null = null, cacheWrite: number | null = null) => [
    { origin: "https://llm.example", model: "maker/model", input, output, cacheRead, cacheWrite },
  ];

  test.each<[string, unknown, readonly object[]]>([
    ["dollars a token as text", { prompt: "0.000003", completion: "0.000015" }, price(3_000_000, 15_000_000)],
    [
      "the cache",
      { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003", input_cache_write: "0.00000375" },
      price(3e6, 15e6, 3e5, 3_750_000),
    ],
    ["a free model", { prompt: "0", completion: "0" }, price(0, 0)],
    ["exponents", { prompt: "1.5e-7", completion: "6E-7" }, price(150_000, 600_000)],
    ["a fine one", { prompt: "0.0000000375", completion: "0.00000015" }, price(37_500, 150_000)],
    ["a price that depends", { prompt: "-1", completion: "-1" }, []],
    ["half a price", { prompt: "0.000003" }, []],
    ["numbers, of which nobody knows the unit", { prompt: 3, completion: 15 }, []],
    ["words", { prompt: "cheap", completion: "dear" }, []],
    ["beyond all prices", { prompt: "900", completion: "0" }, []],
    ["nothing", null, []],
    ["no object", "0.1", []],
  ])("%s", async (_what, pricing, prices) => expect(await pricesOf(listed(pricing))).toEqual(prices));

  test("are kept between visits, with the windows, for the address that said them", async () => {
    const memory = testMemory();
    const entry = { ...listed({ prompt: "0.000003", completion: "0.000015" }), context_length: 1000 };
    const provider = providerOn(fake(() => refusing(200, { data: [entry] })).fetch, { memory });
    await provider.models(signal());
    const later = providerOn(fake(() => refusing(500, {})).fetch, { memory });
    expect(later.prices?.()).toEqual(price(3_000_000, 15_000_000));
    expect(later.window("maker/model")).toBe(1000);
    expect(providerOn(fake(() => refusing(500, {})).fetch, { memory, baseURL: "https://other.example" }).prices?.()).toEqual([]);
  });
  test("what an earlier Vibey kept has none", () => {
    const memory = testMemory();
    memory.write("models https://llm.example", { "maker/model": [1000, null], odd: [1, 2, "3", 4], low: [1, 2, -3, 4], none: 7 });
    expect(providerOn(fake(() => refusing(500, {})).fetch, { memory }).prices?.()).toEqual([]);
  });
});

describe("usage", () => {
  test.each([
    ["nothing more", {}, { input: 100, output: 20 }],
    [
      "cached tokens",
      { prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 5 } },
      { input: 100, output: 20, cacheRead: 80, cacheWrite: 5 },
    ],
    ["cached tokens, as Moonshot says it", { cached_tokens: 80 }, { input: 100, output: 20, cacheRead: 80 }],
    [
      "cached tokens, as DeepSeek says it",
      { prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 },
      { input: 100, output: 20, cacheRead: 80 },
    ],
    ["cached tokens, as Mistral says it", { num_cached_tokens: 32 }, { input: 100, output: 20, cacheRead: 32 }],
    [
      "cached tokens, as Vercel's gateway says it",
      { prompt_tokens_details: { cached_tokens: 80 }, cache_creation_input_tokens: 15 },
      { input: 100, output: 20, cacheRead: 80, cacheWrite: 15 },
    ],
    ["none cached", { prompt_tokens_details: { cached_tokens: 0 } }, { input: 100, output: 20 }],
    ["nonsense", { prompt_tokens_details: { cached_tokens: -1, cache_write_tokens: "5" }, cost: "1" }, { input: 100, output: 20 }],
    ["its cost", { cost: 0.00014 }, { input: 100, output: 20, cost: 140_000 }],
    ["a cost of nothing", { cost: 0 }, { input: 100, output: 20, cost: 0 }],
    ["a cost below nothing", { cost: -1 }, { input: 100, output: 20 }],
    ["a cost that is no number of dollars", { cost: { total: 1 } }, { input: 100, output: 20 }],
    [
      "a cost with its parts, as Perplexity says it",
      { cost: { input_tokens_cost: 0.00014, output_tokens_cost: 0.00015, request_cost: 0.005, total_cost: 0.00529 } },
      { input: 100, output: 20, cost: 5_290_000 },
    ],
    ["a cost in ticks, as xAI says it", { cost_in_usd_ticks: 8_702_400 }, { input: 100, output: 20, cost: 870_240 }],
    ["ticks that are none", { cost_in_usd_ticks: "8702400" }, { input: 100, output: 20 }],
    [
      "a fee and what is behind it",
      { cost: 0.001, is_byok: true, cost_details: { upstream_inference_cost: 0.02 } },
      { input: 100, output: 20, cost: 21_000_000 },
    ],
    [
      "what is behind it, paid with the rest",
      { cost: 0.02, is_byok: false, cost_details: { upstream_inference_cost: 0.02 } },
      { input: 100, output: 20, cost: 20_000_000 },
    ],
  ])("%s", (_what, reported, usage) => expect(countedUsage(100, 20, reported, "prompt_tokens_details")).toStrictEqual(usage));
  test("of the Messages wire", () =>
    expect(usageOf(110, 20, 80, 5, { cost: 1 })).toStrictEqual({
      input: 110,
      output: 20,
      cacheRead: 80,
      cacheWrite: 5,
      cost: 1_000_000_000,
    }));

  test("comes from the wire", async () => {
    const { provider, api } = await bench();
    api.play({
      ...say("Hello."),
      usage: { input: 10, cacheRead: 90, output: 5 },
      faults: {
        edit: (events) => events.map((event) => (event["usage"] ? { ...event, usage: { ...event["usage"], cost: 0.25 } } : event)),
      },
    });
    const events = await collect(provider, { request: request() });
    expect(events.find(({ type }) => type === "usage")).toEqual({
      type: "usage",
      usage: { input: 100, output: 5, cacheRead: 90, cost: 250_000_000 },
    });
  });
});

describe("tokens that a model thought, which some servers count in the total alone", () => {
  test.each([
    ["xAI", { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } }, 103],
    ["Gemini, which leaves out a count of nothing", { prompt_tokens: 32, total_tokens: 135 }, 103],
    ["OpenAI, whose output has them", { prompt_tokens: 32, completion_tokens: 103, total_tokens: 135 }, 103],
    ["a total that is too low", { prompt_tokens: 32, completion_tokens: 9, total_tokens: 0 }, 9],
    ["no total", { prompt_tokens: 32, completion_tokens: 9 }, 9],
  ])("%s", async (_server, usage, output) => {
    const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: "a" }, finish_reason: "stop" }], usage })}\n\n`;
    const events = await collect(providerOn(fake(() => streaming(chunk)).fetch));
    expect(events.find(({ type }) => type === "usage")).toEqual({ type: "usage", usage: { input: 32, output } });
  });
});
