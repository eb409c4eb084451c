import * as fc from "fast-check";

const wanted = process.env["VIBEY_LAWS"];

/**
 * The number of runs of a law: `usual`, or more with `VIBEY_LAWS=200000`, which also prints the number. `cost`: how many cheap runs one run
 * is worth.
 */
export function lawRuns<Values>(usual: number, cost = 1): fc.Parameters<Values> {
  if (wanted === undefined) return { numRuns: usual };
  return { numRuns: Math.max(usual, Math.ceil(Number(wanted) / cost)), reporter: tell };
}

function tell<Values>(details: fc.RunDetails<Values>): void {
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  process.stdout.write(`law: ${details.numRuns} runs\n`);
}
