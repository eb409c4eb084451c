import * as fc from "fast-check";
import { afterEach } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** How often the laws of a test were tried. */
    tried?: number;
  }
}

/** The reporter of a file's laws: it counts how often they are tried, and the report says so of each test, for `npm run chaos` to read. */
export function triedIn(): <Values>(details: fc.RunDetails<Values>) => void {
  let tried = 0;
  afterEach(({ task }) => {
    if (tried > 0) task.meta.tried = tried;
    tried = 0;
  });
  return (details) => {
    tried += details.numRuns;
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  };
}
