import { MOST_PRICE, type Price, type PriceRow } from "../cost/price.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { isObject } from "../prompt/json.ts";
import { isModelName } from "../names.ts";
import { isCount } from "./answer.ts";
import { listKey, type Memory, modelKey } from "./memory.ts";
import type { Target } from "./target.ts";
import type { Transport } from "./wire.ts";
import type { Listed } from "./listed.ts";

/** The most models in a list: no one finds a model among more, and the list is kept between visits. */
const maxModels = 5_000;
/** The most pages that are read: a server that always has more is broken. */
const maxPages = 20;

/** Every entry with a usable name, each name once, in the server's order. Throws if the answer is not a list. */
export async function listModels(line: Transport, path: string, page: Record<string, string | number>, cursor: string): Promise<Listed[]> {
  const models = new Map<string, Listed>();
  let after: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const answer: unknown = await line.get(path, after === null ? page : { ...page, [cursor]: after });
    for (const entry of entriesOf(answer)) {
      const listed = isObject(entry) ? read(entry) : null;
      if (listed !== null && models.size < maxModels && !models.has(listed.id)) models.set(listed.id, listed);
    }
    const last: unknown = isObject(answer) && answer["has_more"] === true ? answer["last_id"] : null;
    if (typeof last !== "string" || last === after) break;
    after = last;
  }
  return [...models.values()];
}

function entriesOf(answer: unknown): readonly unknown[] {
  const list: unknown = isObject(answer) ? (answer["data"] ?? answer["models"]) : answer;
  if (!Array.isArray(list) || (list.length === 0 && isObject(answer) && !("data" in answer))) throw new TypeError("no list");
  return list;
}

function read(entry: JsonObject): Listed | null {
  const named = entry["id"] ?? entry["name"];
  if (typeof named !== "string") return null;
  // Gemini lists resource names (`models/…`), and accepts them without the first part.
  const id = named.replace(/^models\//, "");
  return isModelName(id) ? { id, window: windowIn(entry), output: outputIn(entry), price: priceIn(entry), entry } : null;
}

/** Names of fields with a model's context window. The window as loaded comes before the possible one. */
const windowFields = [
  "loaded_context_length",
  "context_length",
  "context_window",
  "max_context_length",
  "max_model_len",
  "max_input_tokens",
  "inputTokenLimit",
  "input_token_limit",
];
const outputFields = ["max_completion_tokens", "max_output_tokens", "outputTokenLimit", "output_token_limit"];

function windowIn(entry: JsonObject): number | null {
  return field(entry, windowFields) ?? field(entry["top_provider"], windowFields);
}

function outputIn(entry: JsonObject): number | null {
  return field(entry, outputFields) ?? field(entry["top_provider"], outputFields);
}

/** OpenRouter's format: dollars per token, as text. Null for a model without a fixed price, which has `-1`. */
function priceIn({ pricing }: JsonObject): Price | null {
  if (!isObject(pricing)) return null;
  const [input, output] = [picos(pricing["prompt"]), picos(pricing["completion"])];
  if (input === null || output === null) return null;
  return { input, output, cacheRead: picos(pricing["input_cache_read"]), cacheWrite: picos(pricing["input_cache_write"]) };
}

/** Dollars as picodollars. Null: not a valid price. */
function picos(dollars: unknown): number | null {
  if (typeof dollars !== "string" || !/^\d{1,3}(\.\d{1,20})?(e-\d{1,2})?$/i.test(dollars)) return null;
  const whole = Math.round(Number(dollars) * 1e12);
  return whole <= MOST_PRICE ? whole : null;
}

function field(entry: unknown, names: readonly string[]): number | null {
  if (!isObject(entry)) return null;
  return names.map((name) => entry[name]).find((value): value is number => isCount(value) && value > 0) ?? null;
}

/** What the servers' lists say about their models. */
export interface ModelListing {
  keep(target: Target, models: readonly Listed[]): void;
  /** A model's context window in tokens: from the server's refusal, else from its list, else what Vibey knows. */
  window(target: Target | null, model: string): number | null;
  /** The server has accepted this many tokens, input and output together. Forgets a smaller window that was learned from a refusal. */
  took(target: Target, model: string, tokens: number): void;
  /** The most tokens in a response, according to the server's list. Null if the list doesn't say. */
  output(target: Target, model: string): number | null;
  /** The prices in the server's list. */
  prices(target: Target | null): readonly PriceRow[];
}

export function modelListing(memory: Memory, known: (model: string) => number | null): ModelListing {
  const keyOf = ({ base }: Target) => listKey(base);
  function listed(target: Target, model: string, at: 0 | 1): number | null {
    const entry = memory.read(keyOf(target))?.[model];
    const value: unknown = Array.isArray(entry) ? entry[at] : null;
    return isCount(value) ? value : null;
  }
  return {
    keep(target, models) {
      const said = models.filter(({ window, output, price }) => window !== null || output !== null || price !== null);
      if (said.length > 0) memory.write(keyOf(target), Object.fromEntries(said.map((model) => [model.id, kept(model)])));
    },
    window(target, model) {
      return (target && (learnedWindow(memory, target, model) ?? listed(target, model, 0))) ?? known(model);
    },
    took(target, model, tokens) {
      const window = learnedWindow(memory, target, model);
      if (window === null || tokens <= window) return;
      const { window: _forgotten, ...rest } = memory.read(factsKey(target, model)) ?? {};
      memory.write(factsKey(target, model), rest);
    },
    output: (target, model) => listed(target, model, 1),
    prices(target) {
      if (target === null) return [];
      const { origin } = new URL(target.base);
      return Object.entries(memory.read(keyOf(target)) ?? {}).flatMap(([model, said]) => {
        const price = keptPrice(said);
        return price === null ? [] : [{ origin, model, ...price }];
      });
    },
  };
}

/** What is stored about a model: its context window, its longest response and, if known, its price. */
function kept({ window, output, price }: Listed): (number | null)[] {
  return [window, output, ...(price === null ? [] : [price.input, price.output, price.cacheRead, price.cacheWrite])];
}

function keptPrice(said: unknown): Price | null {
  if (!Array.isArray(said)) return null;
  const [input, output, cacheRead, cacheWrite] = said.slice(2).map((part: unknown) => (isCount(part) && part <= MOST_PRICE ? part : null));
  if (input == null || output == null) return null;
  return { input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null };
}

function learnedWindow(memory: Memory, target: Target, model: string): number | null {
  const window = memory.read(factsKey(target, model))?.["window"];
  return isCount(window) ? window : null;
}

/** The key of what was learned about one model of one server. */
export function factsKey(target: Target, model: string): string {
  return modelKey(target.base, model);
}
