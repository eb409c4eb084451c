import { listDate, listTable } from "./list-table.ts";
import type { Price } from "./price.ts";

/** The list prices that come with Vibey. They are a separate chunk, loaded when a cost is first computed, so they aren't part of the first load. */
export interface ListPrices {
  /** The date of the prices: `2026-09-23`. */
  readonly date: string;
  /** The list price of a model at a time. Null if the list doesn't have the model, or not at this address. */
  of(origin: string, model: string, at: Date): Price | null;
  /** The prices of one address at a time, by the list's own model names. */
  rows(origin: string, at: Date): readonly (Price & { readonly model: string })[];
}

interface ListModel {
  readonly model: string;
  readonly pattern: RegExp;
  /** Of the prices whose `holds` returns true, the last one applies. The first one always holds. */
  readonly prices: readonly { readonly holds: (at: Date) => boolean; readonly price: Price }[];
}

export function openListPrices(table = listTable, date = listDate): ListPrices {
  const models = readListTable(table);
  const priceAt = ({ prices }: ListModel, at: Date) => prices.findLast(({ holds }) => holds(at))?.price ?? null;
  const find = (origin: string, model: string) => (models.get(origin) ?? []).find(({ pattern }) => pattern.test(model));
  return {
    date,
    of(origin, model, at) {
      const id = model.toLowerCase();
      const found = find(origin, id) ?? find(origin, id.replace(DAY, "-$1-$2-$3"));
      return found ? priceAt(found, at) : null;
    },
    rows: (origin, at) =>
      (models.get(origin) ?? []).flatMap((each) => {
        const price = priceAt(each, at);
        return price ? [{ model: each.model, ...price }] : [];
      }),
  };
}

/** A date at the end of a name. Some lists write it with dashes, and some servers without. */
const DAY = /-(20\d\d)([01]\d)([0-3]\d)(?=-|:|$)/;

/**
 * What may not follow the beginning of a model name in a row (`~` in its pattern): another version number, or a word for another size. The price
 * of `claude-sonnet-5` does not apply to `claude-sonnet-5-9`, which did not exist when the list was made.
 */
const OTHER_MODEL = String.raw`(?![-.]?(?:\d(?!\d)|\d\d(?!\d|-\d)))(?!.*-(?:nano|mini|lite|small|medium|large|pro|max|ultra|fast|turbo|flash)\b)`;

/**
 * The table has an address, then its models, each with a name, a regular expression for names, and prices separated by `;`. A price is in dollars
 * per million tokens of input, output, cache reads and cache writes; `-` means no separate price. `>272000` and four more numbers: the price for
 * a request with more tokens than that. `@2026-08-17`: from that day on. `@01:00-04:00`: at that time of day. Times are UTC.
 */
function readListTable(table: string): Map<string, ListModel[]> {
  const found = new Map<string, ListModel[]>();
  let models: ListModel[] = [];
  for (const line of table.trim().split("\n")) {
    const [model = "", pattern, prices] = line.split("\t");
    if (pattern === undefined || prices === undefined) found.set(model, (models = []));
    else models.push({ model, pattern: new RegExp(pattern.replaceAll("~", OTHER_MODEL)), prices: prices.split(";").map(readPrice) });
  }
  return found;
}

function readPrice(text: string): ListModel["prices"][number] {
  const [, amounts = "", when = ""] = /^([^@]*)(?: @(.*))?$/.exec(text) ?? [];
  const [base = "", ...tiers] = amounts.trim().split(" >");
  const above = tiers.map((tier) => ({ tokens: Number(tier.split(" ", 1)[0]), price: amountsOf(tier.slice(tier.indexOf(" ") + 1)) }));
  return { holds: holdsWhen(when), price: { ...amountsOf(base), ...(above.length > 0 ? { above } : {}) } };
}

function amountsOf(text: string): Price {
  const [input = 0, output = 0, cacheRead, cacheWrite] = text
    .split(" ")
    .map((dollars) => (dollars === "-" ? null : Math.round(Number(dollars) * 1e6)));
  return { input: input ?? 0, output: output ?? 0, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null };
}

function holdsWhen(when: string): (at: Date) => boolean {
  if (when === "") return () => true;
  if (!when.includes(":")) return (at) => at.toISOString().slice(0, 10) >= when;
  const [from = "", to = ""] = when.split("-");
  return (at) => {
    const time = at.toISOString().slice(11, 16);
    return from <= to ? time >= from && time < to : time >= from || time < to;
  };
}

/** The prices of the table that comes with Vibey, which is read once. */
export const listPrices = openListPrices();
