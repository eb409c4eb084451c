import type { CostReport, CostSum } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import { noModel } from "../texts/cost.ts";
import { dayWords } from "./bars.ts";

export type Column = "name" | "nanos" | "responses" | "input" | "output";

export interface CostRow {
  readonly title: string;
  /** The key for sorting by name. */
  readonly key: string;
  readonly href: string | null;
  readonly sum: CostSum;
}

export const groupings = ["dialog", "model", "day"] as const;
export type Grouping = (typeof groupings)[number];

/** The rows of a report in this grouping. */
export function rowsOf(report: CostReport, way: Grouping): CostRow[] {
  switch (way) {
    case "dialog":
      return report.dialogs.map((sum) => ({
        title: slugOf(sum.dialogId),
        key: slugOf(sum.dialogId),
        href: formatRoute({ tab: "dialogs", dialogId: sum.dialogId }),
        sum,
      }));
    case "model":
      return report.models.map((sum) => ({ title: sum.model || noModel, key: `${sum.model} ${sum.provider}`, href: null, sum }));
    case "day":
      return report.days.map((sum) => ({ title: dayWords(sum.day, "day", "long"), key: sum.day, href: null, sum }));
  }
}

/** The models of a report, by name: `gpt-9 and o9`. */
export const modelsOf = ({ models }: CostReport): string =>
  new Intl.ListFormat("en").format([...new Set(models.map(({ model }) => (model === "" ? noModel : visible(model))))].slice(0, 5));

/** Rows with equal values in the column are sorted by cost, highest first. */
export function sorted(rows: readonly CostRow[], column: Column, up: boolean): CostRow[] {
  const turn = up ? 1 : -1;
  const compare = (a: CostRow, b: CostRow) =>
    column === "name" ? (a.key < b.key ? -1 : Number(a.key > b.key)) : a.sum[column] - b.sum[column];
  return rows.toSorted((a, b) => turn * compare(a, b) || b.sum.nanos - a.sum.nanos);
}
