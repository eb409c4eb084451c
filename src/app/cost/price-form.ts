import type { PriceView } from "../../protocol/index.ts";

import * as t from "../texts/prices.ts";
import { usDollars } from "./money.ts";

export const fields = ["input", "output", "cacheRead", "cacheWrite"] as const;
export type Field = (typeof fields)[number];
export const fieldTitles: Readonly<Record<Field, string>> = {
  input: t.input,
  output: t.output,
  cacheRead: t.cacheRead,
  cacheWrite: t.cacheWrite,
};

/** A row as typed. */
export type Typed = Readonly<Record<Field | "origin" | "model", string>>;

export const emptyRow = (origin: string): Typed => ({ origin, model: "", input: "", output: "", cacheRead: "", cacheWrite: "" });

export function typedRow({ origin, model, ...prices }: PriceView): Typed {
  const text = (price: number | null) => (price === null ? "" : plain(price));
  return {
    origin,
    model,
    input: text(prices.input),
    output: text(prices.output),
    cacheRead: text(prices.cacheRead),
    cacheWrite: text(prices.cacheWrite),
  };
}

/** "$0.60", "$0.0375"; null: as any other input. */
export const shownPrice = (price: number | null) =>
  price === null ? null : price.toLocaleString(undefined, { ...usDollars, minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** Never uses an exponent. */
const plain = (price: number) => price.toFixed(6).replace(/\.?0+$/, "");

export type ReadRow =
  | { readonly ok: true; readonly price: PriceView }
  | { readonly ok: false; readonly field: Field | "origin" | "model"; readonly why: string };

/** "1,250": a thousand to one reader, 1.25 to another. */
const ambiguous = /^([1-9]\d{0,2}),(\d{3})$/;

/** The row as numbers, or the first error in it. A comma counts as a decimal point if it can't be anything else. A dollar sign is allowed. */
export function readRow(row: Typed): ReadRow {
  const origin = row.origin.trim();
  if (!/^https?:\/\/[^/\s]+/.test(origin) || !URL.canParse(origin)) return { ok: false, field: "origin", why: t.addressWrong };
  const model = row.model.trim();
  if (!/^(\*|[A-Za-z0-9._:/-]{1,100}\*?)$/.test(model)) return { ok: false, field: "model", why: t.modelWrong };
  const read: Partial<Record<Field, number | null>> = {};
  for (const field of fields) {
    const given = row[field].trim().replace(/^\$\s*/, "");
    const [, whole, rest] = ambiguous.exec(given) ?? [];
    if (whole !== undefined && rest !== undefined) {
      return { ok: false, field, why: t.priceAmbiguous(fieldTitles[field], given, `${whole}${rest}`, `${whole}.${rest}`) };
    }
    const typed = given.replace(",", ".");
    const isCache = field === "cacheRead" || field === "cacheWrite";
    if (typed === "" && isCache) {
      read[field] = null;
      continue;
    }
    const price = /^\d{1,6}(\.\d{1,6})?$/.test(typed) ? Number(typed) : Number.NaN;
    if (!(price <= 100_000)) {
      const words = isCache ? t.cachePriceWrong : t.priceWrong;
      return { ok: false, field, why: words(fieldTitles[field]) };
    }
    read[field] = price;
  }
  const { input, output, cacheRead = null, cacheWrite = null } = read;
  if (input == null || output == null) throw new Error("a price without input or output was let through");
  return { ok: true, price: { origin: new URL(origin).origin, model, input, output, cacheRead, cacheWrite } };
}

export const sameRow = (a: Pick<PriceView, "origin" | "model">, b: Pick<PriceView, "origin" | "model">) =>
  a.origin === b.origin && a.model === b.model;
