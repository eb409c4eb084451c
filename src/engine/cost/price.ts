import type { Usage } from "./usage.ts";
import { MOST_NANOS } from "./money.ts";

/**
 * The price of a model's tokens, in picodollars per token, which equals microdollars per million tokens. Whole numbers. A cache price is null if
 * none is given: then those tokens cost as much as any other input.
 */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** Other prices for requests with more input tokens than this, in ascending order. */
  readonly above?: readonly { readonly tokens: number; readonly price: Price }[];
}

/** The source of a price: the user, the provider's own model list, or the list that comes with Vibey, which has a date. */
export type PriceSource = { readonly by: "you" } | { readonly by: "provider" } | { readonly by: "list"; readonly date: string };

/** A price and the model it is for. `model` is an id, or the beginning of ids followed by a star. */
export interface PriceRow extends Price {
  /** The origin of the provider's address: `https://api.example`. */
  readonly origin: string;
  readonly model: string;
}

/** The maximum price: a hundred thousand dollars per million tokens. */
export const MOST_PRICE = 100_000_000_000;

/** The price for a request with this many input tokens. */
export function priceOf({ input }: Usage, price: Price): Price {
  return price.above?.findLast(({ tokens }) => input > tokens)?.price ?? price;
}

/** The cost of a response in whole nanodollars, at the given price. */
export function costOf({ input, output, cacheRead = 0, cacheWrite = 0 }: Usage, price: Price): number {
  // Tokens read from or written to the cache are part of the input. If a provider reports otherwise, the rest isn't billed below zero.
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const picos =
    times(fresh, price.input) +
    times(output, price.output) +
    times(cacheRead, price.cacheRead ?? price.input) +
    times(cacheWrite, price.cacheWrite ?? price.input);
  const nanos = (picos + 500n) / 1000n;
  return nanos > BigInt(MOST_NANOS) ? MOST_NANOS : Number(nanos);
}

/** The product of two whole numbers can exceed the largest exact number. */
function times(tokens: number, price: number): bigint {
  return BigInt(tokens) * BigInt(price);
}

export function isFree({ input, output, cacheRead, cacheWrite }: Price): boolean {
  return input === 0 && output === 0 && !cacheRead && !cacheWrite;
}

/** The row that names the model, or else the row with the longest matching beginning. Null if none matches. */
export function findPrice<Row extends PriceRow>(rows: readonly Row[], origin: string, model: string): Row | null {
  let best: Row | null = null;
  for (const row of rows) {
    if (row.origin !== origin) continue;
    if (row.model === model) return row;
    const fits = row.model.endsWith("*") && model.startsWith(row.model.slice(0, -1));
    if (fits && row.model.length > (best?.model.length ?? 0)) best = row;
  }
  return best;
}
