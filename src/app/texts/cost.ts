import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const cost = "Cost";
export const prices = "Prices";
export const pages = "Cost and prices";

export const howFarBack = "How far back";
export const days = (count: number) => counted(count, "day");
export const allDays = "All";
export const lookAgain = "Look again";
export const dialogsRead = "Dialogs read";
export const read = (done: number, total: number) => `${number(done)} of ${counted(total, "dialog")} read`;
export const stop = "Stop";
export const notReckoned = (why: string) => `The cost could not be reckoned: ${why}`;
export const notReckonedYet = "Nothing was reckoned yet.";
export const nothingYet = "Nothing was asked of a provider yet, so nothing was spent.";
export const nothingInThisTime = "Nothing was asked of a provider in this time, so nothing was spent.";

/** What stands behind the total. */
export const forResponses = (responses: number) => `for ${counted(responses, "response")}`;
export const forSomeResponses = (priced: number, unpriced: number): readonly Part<"prices">[] => [
  `for ${counted(priced, "response")}, and ${counted(unpriced, "response")} without a known price (`,
  { slot: "prices", text: "give one" },
  " for those to come)",
];
/** No response has a known price. `models`: of those that were asked. */
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

export const barADay = "A bar a day";
export const barAMonth = "A bar a month";
export const chartOfDays = (total: string, bars: number, dearest: string) =>
  `${total} over ${counted(bars, "day")}; the dearest took ${dearest}.`;
export const chartOfMonths = (total: string, bars: number, dearest: string) =>
  `${total} over ${counted(bars, "month")}; the dearest took ${dearest}.`;
export const bar = (day: string, amount: string, responses: number) => `${day}: ${amount}, ${counted(responses, "response")}`;
export const barPartlyUnpriced = (day: string, amount: string, responses: number, unpriced: number) =>
  `${day}: ${amount}, ${counted(responses, "response")}, ${number(unpriced)} of them without a known price`;

type Way = "dialog" | "model" | "day";

export const byWhat = "By what";
export function by(way: Way): string {
  switch (way) {
    case "dialog":
      return "By dialog";
    case "model":
      return "By model";
    case "day":
      return "By day";
  }
}
export function costBy(way: Way): string {
  switch (way) {
    case "dialog":
      return "Cost by dialog";
    case "model":
      return "Cost by model";
    case "day":
      return "Cost by day";
  }
}
export function columnOf(way: Way): string {
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
export const columnInput = "Tokens in";
export const columnOutput = "Tokens out";
/** The row of the sum. */
export const all = (rows: number) => (rows > 1 ? `All ${number(rows)}` : "All");
export const noModel = "no model named";
export const costUnknown = "not known";
export const unpriced = (responses: number) => `${number(responses)} without a price`;
export const unpricedExact = (responses: number) => `${counted(responses, "response")} without a known price`;
export const showMore = (more: number, rows: number) => `Show ${number(more)} more of ${number(rows)}`;
