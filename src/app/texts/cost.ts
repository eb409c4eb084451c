import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const cost = "Cost";
export const prices = "Prices";
export const pages = "Cost and prices";

export const howFarBack = "Time range";
export const days = (count: number) => counted(count, "day");
export const allDays = "All time";
export const lookAgain = "Refresh";
export const dialogsRead = "Dialogs read";
export const read = (done: number, total: number) => `Read ${number(done)} of ${counted(total, "dialog")}`;
export const stop = "Stop";
export const notReckoned = (why: string) => `Couldn't calculate the cost: ${why}`;
export const notReckonedYet = "Not calculated yet.";
export const nothingYet = "No costs yet. They appear after the first request to a provider.";
export const nothingInThisTime = "No costs in this period.";

export const damaged = (dialogs: number) =>
  dialogs === 1
    ? "The file of one dialog is damaged, so not all of its cost is counted."
    : `The files of ${number(dialogs)} dialogs are damaged, so not all of their cost is counted.`;

/** Shown after the total. */
export const forResponses = (responses: number) => `for ${counted(responses, "response")}`;
export const forSomeResponses = (priced: number, unpriced: number): readonly Part<"prices">[] => [
  `for ${counted(priced, "response")}, plus ${counted(unpriced, "response")} without a price (`,
  { slot: "prices", text: "add one" },
  " for future responses)",
];
/** No response has a known price. `models`: the models of those responses. */
export const noneKnown = (models: string): readonly Part<"prices">[] => [
  `Vibey doesn't know what ${models} costs. `,
  { slot: "prices", text: "Set a price" },
  " to see the cost of the next responses.",
];
export const byListPrices = (responses: number, from: string, to: string): readonly Part<"prices">[] => [
  `${counted(responses, "response")} by `,
  { slot: "prices", text: from === to ? `list prices of ${from}` : `list prices of ${from} to ${to}` },
  ". Your own prices override them.",
];

export const barADay = "Cost per day";
export const barAMonth = "Cost per month";
export const chartOfDays = (total: string, bars: number, dearest: string) =>
  `${total} over ${counted(bars, "day")}; highest day: ${dearest}.`;
export const chartOfMonths = (total: string, bars: number, dearest: string) =>
  `${total} over ${counted(bars, "month")}; highest month: ${dearest}.`;
export const bar = (day: string, amount: string, responses: number) => `${day}: ${amount}, ${counted(responses, "response")}`;
export const barPartlyUnpriced = (day: string, amount: string, responses: number, unpriced: number) =>
  `${day}: ${amount}, ${counted(responses, "response")}, ${number(unpriced)} without a price`;

type Grouping = "dialog" | "model" | "day";

export const byWhat = "Group by";
export function by(way: Grouping): string {
  switch (way) {
    case "dialog":
      return "By dialog";
    case "model":
      return "By model";
    case "day":
      return "By day";
  }
}
export function costBy(way: Grouping): string {
  switch (way) {
    case "dialog":
      return "Cost by dialog";
    case "model":
      return "Cost by model";
    case "day":
      return "Cost by day";
  }
}
export function columnOf(way: Grouping): string {
  switch (way) {
    case "dialog":
      return "Dialog";
    case "model":
      return "Model";
    case "day":
      return "Day";
  }
}
export const columnCost = "Cost";
export const columnResponses = "Responses";
export const columnInput = "Input tokens";
export const columnOutput = "Output tokens";
/** The row of totals. */
export const all = (rows: number) => (rows > 1 ? `Total (${number(rows)})` : "Total");
export const noModel = "unknown model";
export const costUnknown = "unknown";
export const unpriced = (responses: number) => `${number(responses)} without a price`;
export const unpricedExact = (responses: number) => `${counted(responses, "response")} without a price`;
export const showMore = (more: number, rows: number) => `Show ${number(more)} more of ${number(rows)}`;
