import * as fc from "fast-check";
import { afterEach } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /** The number of times that the laws of a test were tried. */
    tried?: number;
  }
}

/** A reporter for the laws of a file: it counts the tries and adds the number to each test's report, for `npm run chaos`. */
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
