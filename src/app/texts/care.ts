import { number } from "../ui/words.ts";

/** `exported`: how long ago it was; null: never. */
export const exportReminder = (exported: string | null, work: number) =>
  `The browser may clear this project when the disk gets full, and ${exported === null ? "it was never exported" : `it was last exported ${exported}`}. ${number(work)} saves and turns are nowhere else.`;
export const exportAll = "Export everything";
