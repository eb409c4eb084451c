import * as v from "valibot";
import type { PricesAnswer, PriceView } from "../../protocol/index.ts";
import { MOST_PRICE, type PriceRow } from "../cost/price.ts";
import type { Prices } from "../cost/prices.ts";
import { limits } from "../../protocol/limits.ts";
import { isModelName } from "../names.ts";
import { json } from "./answers.ts";
import { readBody, text } from "./body.ts";
import { route, type Routes } from "./route.ts";

/** Microdollars per dollar. A price has up to six decimals. */
const micros = 1_000_000;
const wanted = `expected dollars a million tokens: 0 to ${MOST_PRICE / micros}, with six decimals at most`;
const dollars = v.pipe(
  v.number(wanted),
  v.check((value) => value >= 0 && value * micros <= MOST_PRICE && isMicros(value), wanted),
  v.transform((value) => Math.round(value * micros)),
);
const maybe = v.optional(v.nullable(dollars), null);

const row = v.object({
  origin: v.pipe(
    text,
    v.check((given) => originOf(given) !== null, "expected an address such as https://api.example.com"),
    v.transform((given) => originOf(given) ?? ""),
  ),
  model: v.pipe(text, v.trim(), v.check(isPattern, "expected a model ID, or its beginning followed by *: A-Z a-z 0-9 . _ : / -")),
  input: dollars,
  output: dollars,
  cacheRead: maybe,
  cacheWrite: maybe,
});
const body = v.object({
  prices: v.pipe(
    v.array(row, "expected a list of prices"),
    v.maxLength(limits.prices, `expected at most ${limits.prices} prices`),
    v.check((rows) => isOnce(rows), "expected one price a model"),
  ),
});

/** The prices of models: the user's, the providers' own, and the list that comes with Vibey. */
export function priceRoutes(app: Routes, prices: Prices, now: () => Date): void {
  route(app, "/prices", {
    GET: async () => json(await answer()),
    PUT: async ({ request }) => {
      const parsed = await readBody(request, body);
      if (!parsed.ok) return parsed.answer;
      await prices.change(parsed.value.prices);
      return json(await answer());
    },
  });

  async function answer(): Promise<PricesAnswer> {
    const builtIn = await prices.builtIn(now());
    return {
      own: prices.own().map(view),
      listed: (await prices.listed()).map(view),
      builtIn: builtIn && { date: builtIn.date, prices: builtIn.rows.map(view) },
      origins: prices.origins(),
    };
  }
}

function view({ origin, model, input, output, cacheRead, cacheWrite }: PriceRow): PriceView {
  const shown = (price: number | null) => (price === null ? null : price / micros);
  return { origin, model, input: input / micros, output: output / micros, cacheRead: shown(cacheRead), cacheWrite: shown(cacheWrite) };
}

/** Floating-point dollars aren't exact. This accepts the number nearest to a value with six decimals. */
function isMicros(value: number): boolean {
  return Math.round(value * micros) / micros === value;
}

function originOf(given: string): string | null {
  if (!URL.canParse(given.trim())) return null;
  const { protocol, origin } = new URL(given.trim());
  return protocol === "https:" || protocol === "http:" ? origin : null;
}

function isPattern(model: string): boolean {
  return model === "*" || isModelName(model.endsWith("*") ? model.slice(0, -1) : model);
}

function isOnce(rows: { origin: string; model: string }[]): boolean {
  return new Set(rows.map(({ origin, model }) => `${origin} ${model}`)).size === rows.length;
}
