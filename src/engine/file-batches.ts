import type { FileStat } from "../fs/files.ts";
import { limits } from "../protocol/limits.ts";

/** Splits files into batches that are read in a moment, so that other work runs between two batches and early results are shown early. */
export function* fileBatches<F>(all: readonly F[], statOf: (file: F) => Pick<FileStat, "size">): Generator<readonly F[]> {
  let batch: F[] = [];
  let bytes = 0;
  for (const file of all) {
    const { size } = statOf(file);
    if (batch.length > 0 && (batch.length >= limits.searchBatchFiles || bytes + size > limits.searchBatchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
