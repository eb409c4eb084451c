import type { Usage } from "./usage.ts";
import { MOST_NANOS } from "./money.ts";

/**
 * What the tokens of a model cost: picodollars a token, which are microdollars a million tokens. Whole numbers. A price of the cache that
 * no one named is null: those tokens count as any other input.
 */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  /** Other prices for a request whose input has more tokens than this, the lowest number first. */
  readonly above?: readonly { readonly tokens: number; readonly price: Price }[];
}

/** Who says what a model costs: the user, the provider's own list of models, or the list that comes with Vibey, which is of a day. */
export type PriceSource = { readonly by: "you" } | { readonly by: "provider" } | { readonly by: "list"; readonly date: string };

/** A price with what it is of. `model`: an id, or the beginning of some with a star behind it. */
export interface PriceRow extends Price {
  /** Of the provider's address: `https://api.example`. */
  readonly origin: string;
  readonly model: string;
}

/** No token costs more: a hundred thousand dollars a million. */
export const MOST_PRICE = 100_000_000_000;

/** The price that holds for a request with so many tokens of input. */
export function priceOf({ input }: Usage, price: Price): Price {
  return price.above?.findLast(({ tokens }) => input > tokens)?.price ?? price;
}

/** What a response cost, in whole nanodollars, by a price that holds for it. */
export function costOf({ input, output, cacheRead = 0, cacheWrite = 0 }: Usage, price: Price): number {
  // What was read from the cache and written to it is part of the input; a provider that says otherwise is not billed below nothing.
  const fresh = Math.max(0, input - cacheRead - cacheWrite);
  const picos =
    times(fresh, price.input) +
    times(output, price.output) +
    times(cacheRead, price.cacheRead ?? price.input) +
    times(cacheWrite, price.cacheWrite ?? price.input);
  const nanos = (picos + 500n) / 1000n;
  return nanos > BigInt(MOST_NANOS) ? MOST_NANOS : Number(nanos);
}

/** The product of two whole numbers can be larger than a number holds exactly. */
function times(tokens: number, price: number): bigint {
  return BigInt(tokens) * BigInt(price);
}

export function isFree({ input, output, cacheRead, cacheWrite }: Price): boolean {
  return input === 0 && output === 0 && !cacheRead && !cacheWrite;
}

/** The row that names the model, else the one with the longest beginning of its name; null: none is about it. */
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
