import { appendFileSync } from "node:fs";

/** Whether every fault runs in every place, as in `npm run chaos -- faults`, or only some, as in `npm test`. */
export const isWhole = process.env["VIBEY_CHAOS"] === "1";

/** The time limit in milliseconds for a test of all or some of the places. */
export const wholeMs = isWhole ? 1_800_000 : 300_000;

/** Records the number of injected faults, for the campaign's sum. */
export function came(faults: number): void {
  const file = process.env["VIBEY_CHAOS_COUNT"];
  if (file !== undefined) appendFileSync(file, `${faults}\n`);
}
