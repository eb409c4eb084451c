import * as fc from "fast-check";

const wanted = process.env["VIBEY_LAWS"];

/** How often a law is tried: so often in every run, or as `VIBEY_LAWS=200000` says, which also prints the count. `cost`: how many cheap tries one is like. */
export function lawRuns<Values>(usual: number, cost = 1): fc.Parameters<Values> {
  if (wanted === undefined) return { numRuns: usual };
  return { numRuns: Math.max(usual, Math.ceil(Number(wanted) / cost)), reporter: tell };
}

function tell<Values>(details: fc.RunDetails<Values>): void {
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  process.stdout.write(`law: ${details.numRuns} runs\n`);
}
