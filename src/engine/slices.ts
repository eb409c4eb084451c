import { firstLimits } from "../protocol/first-limits.ts";
import { batches } from "../shell/batches.ts";

/**
 * Splits work on many files into slices, so that the engine can answer other requests between two slices. A slice that waits for the store lets
 * others run. After a slice that doesn't, the caller must do something that does.
 */
export function slices<T>(all: Iterable<T>, bytesOf: (one: T) => number = () => 0): Generator<readonly T[]> {
  return batches(all, bytesOf, { files: firstLimits.sliceFiles, bytes: firstLimits.sliceBytes });
}
