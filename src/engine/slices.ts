import { firstLimits } from "../protocol/first-limits.ts";
import { batches } from "../shell/batches.ts";

/**
 * Work on many files, cut so that the engine answers others between two slices. A slice that waits for the store gives others their turn;
 * one that does not must be followed by something that does.
 */
export function slices<T>(all: Iterable<T>, bytesOf: (one: T) => number = () => 0): Generator<readonly T[]> {
  return batches(all, bytesOf, { files: firstLimits.sliceFiles, bytes: firstLimits.sliceBytes });
}
