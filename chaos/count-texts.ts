import { appendFileSync } from "node:fs";
import * as fc from "fast-check";

/** The file that gets one line per law: the number of texts that the law was tried on. */
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
