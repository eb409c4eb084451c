import { appendFileSync } from "node:fs";
import * as fc from "fast-check";

/** A line for each law: how many texts it was tried on. */
const file = process.env["VIBEY_CHAOS_COUNT"];
const seed = Number(process.env["VIBEY_CHAOS_SEED"]);
if (file === undefined || !Number.isSafeInteger(seed)) throw new Error("VIBEY_CHAOS_COUNT and VIBEY_CHAOS_SEED: `npm run chaos` sets them");

fc.configureGlobal({
  seed,
  reporter(details) {
    appendFileSync(file, `${details.numRuns}\n`);
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
  },
});
