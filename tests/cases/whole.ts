import { appendFileSync } from "node:fs";

/** Whether every fault comes in every place, as `npm run chaos -- faults` has it, or a part of them, as `npm test` does. */
export const isWhole = process.env["VIBEY_CHAOS"] === "1";

/** Milliseconds that a test of all places, or of a part of them, may take. */
export const wholeMs = isWhole ? 1_800_000 : 300_000;

/** Faults that came, for whoever adds them up. */
export function came(faults: number): void {
  const file = process.env["VIBEY_CHAOS_COUNT"];
  if (file !== undefined) appendFileSync(file, `${faults}\n`);
}
