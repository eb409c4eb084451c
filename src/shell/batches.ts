/** Splits a list into batches that hold at most `most.files` entries and `most.bytes` bytes. An entry that is larger than that gets its own batch. */
export function* batches<T>(
  all: Iterable<T>,
  bytesOf: (one: T) => number,
  most: { readonly files: number; readonly bytes: number },
): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const one of all) {
    const more = bytesOf(one);
    if (batch.length > 0 && (batch.length === most.files || bytes + more > most.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(one);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
