import { number } from "../ui/format.ts";

/** `exported`: how long ago; null: never. */
export const exportReminder = (exported: string | null, work: number) =>
  `Your browser may delete this project if the disk fills up, and ${exported === null ? "you've never exported it" : `you last exported it ${exported}`}. ${number(work)} changes exist only in this browser.`;
export const exportAll = "Export everything";
