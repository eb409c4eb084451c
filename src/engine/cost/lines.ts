import type { Dialog, Meta } from "../../dialog/model.ts";
import { standing } from "../../dialog/sections.ts";
import { lastRead } from "../turn/machine/last-read.ts";
import type { Usage } from "./usage.ts";
import { addNanos, dollarsText, readDollars } from "./money.ts";
import type { Price, PriceSource } from "./price.ts";

/** The cost of a response. `reported`: the provider reported it. Otherwise it is the tokens times `price`. */
export interface Cost {
  readonly nanos: number;
  readonly reported: boolean;
  readonly price?: UsedPrice;
}

/** A price and its source. */
export interface UsedPrice {
  readonly price: Price;
  readonly source: PriceSource;
}

export interface CachedTokens {
  readonly read: number;
  readonly write: number;
}

/** The cost of an answer in another dialog, where it was paid. No sum includes it. */
export const COST_THERE = "Cost there";

const COST = /^(\d{1,6}(?:\.\d{1,9})?) USD( reported)?$/;

const AMOUNT = String.raw`(\d{1,6}(?:\.\d{1,6})?)`;
const PRICE = new RegExp(
  `^input=${AMOUNT} output=${AMOUNT}(?: read=${AMOUNT})?(?: write=${AMOUNT})? USD a million, (?:(yours)|(the provider's)|list of (\\d{4}-\\d\\d-\\d\\d))$`,
);

/** Reads `input=3 output=15 read=0.3 write=3.75 USD a million, list of 2026-09-23`. Null for anything else. */
export function parsePrice(value: string): UsedPrice | null {
  const match = PRICE.exec(value);
  if (match === null) return null;
  const [, input, output, read, write, yours, providers, date = ""] = match;
  const micros = (dollars: string | undefined) => (dollars === undefined ? null : Math.round(Number(dollars) * 1e6));
  const price = { input: micros(input) ?? 0, output: micros(output) ?? 0, cacheRead: micros(read), cacheWrite: micros(write) };
  return { price, source: yours !== undefined ? { by: "you" } : providers !== undefined ? { by: "provider" } : { by: "list", date } };
}

function priceText({ price, source }: UsedPrice): string {
  const { input, output, cacheRead, cacheWrite } = price;
  const amount = (key: string, micros: number | null) => (micros === null ? [] : [`${key}=${dollarsText(micros * 1000)}`]);
  const amounts = [...amount("input", input), ...amount("output", output), ...amount("read", cacheRead), ...amount("write", cacheWrite)];
  const said = source.by === "you" ? "yours" : source.by === "provider" ? "the provider's" : `list of ${source.date}`;
  return `${amounts.join(" ")} USD a million, ${said}`;
}

/** Reads `0.0345 USD` and `0.0345 USD reported`. Null for anything else. */
export function parseCost(value: string): Omit<Cost, "price"> | null {
  const [, dollars, reported] = COST.exec(value) ?? [];
  const nanos = dollars === undefined ? null : readDollars(dollars);
  return nanos === null ? null : { nanos, reported: reported !== undefined };
}

/** Reads `read=900 write=20`. Null for anything else. */
export function parseCached(value: string): CachedTokens | null {
  const [, read, write] = /^read=(\d{1,15}) write=(\d{1,15})$/.exec(value) ?? [];
  return read === undefined || write === undefined ? null : { read: Number(read), write: Number(write) };
}

export const costText = ({ nanos, reported }: Omit<Cost, "price">): string => `${dollarsText(nanos)} USD${reported ? " reported" : ""}`;

/** The line after `Usage` that says how many input tokens were read from the cache and written to it. None if the cache wasn't used. */
export function cachedLines({ cacheRead = 0, cacheWrite = 0 }: Usage): Meta[] {
  return cacheRead + cacheWrite === 0 ? [] : [{ key: "Usage cached", value: `read=${cacheRead} write=${cacheWrite}` }];
}

/**
 * The lines of a response with a known cost, including the price that was used, so that the file alone explains the cost. The cumulative line
 * adds to the last one in the file.
 */
export function costLines(dialog: Dialog, cost: Cost): Meta[] {
  const sum = addNanos(costSoFar(dialog) ?? 0, cost.nanos);
  return [
    { key: "Cost", value: costText(cost) },
    ...(cost.price === undefined ? [] : [{ key: "Price", value: priceText(cost.price) }]),
    { key: "Cost cumulative", value: `${dollarsText(sum)} USD` },
  ];
}

/** The known cost of the dialog's responses, in nanodollars. Null if none is known. */
export function costSoFar(dialog: Dialog): number | null {
  const { costCumulative } = standing(dialog);
  if (costCumulative === null) return null;
  // If someone edited the last line so that it can't be read, use the line before it.
  return (parseCost(costCumulative) ?? lastRead(dialog, "Cost cumulative", parseCost))?.nanos ?? null;
}

/** Lines about money. A copied message loses them, because it was paid for only once. */
export function isCostLine({ key }: Meta): boolean {
  return key === "Cost" || key === "Price" || key === "Cost cumulative" || key === COST_THERE;
}
