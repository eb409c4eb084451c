/** Keeps what a program prints in memory: all of it, or the first and the last part of a long output. It never makes the program wait. */
export interface KeptOutput {
  add(chunk: Uint8Array): void;
  readonly size: number;
  /** Bytes that were left out of the middle. */
  readonly leftOut: number;
  bytes(): Uint8Array;
}

/** `each`: the size in bytes of the first part, and the minimum size of the last part. Null keeps everything. */
export function createKeptOutput(each: number | null): KeptOutput {
  const head: Uint8Array[] = [];
  let tail: Uint8Array[] = [];
  let [headSize, tailSize, size] = [0, 0, 0];

  return {
    add(chunk) {
      size += chunk.length;
      const room = each === null ? chunk.length : Math.min(chunk.length, each - headSize);
      if (room > 0) head.push(chunk.subarray(0, room));
      headSize += room;
      if (room === chunk.length || each === null) return;
      tail.push(chunk.subarray(room));
      tailSize += chunk.length - room;
      // Drop only whole chunks, and seldom: each time walks the list.
      if (tailSize < 2 * each) return;
      let dropped = 0;
      while (tailSize - (tail[dropped]?.length ?? 0) >= each) tailSize -= tail[dropped++]?.length ?? 0;
      tail = tail.slice(dropped);
    },
    get size() {
      return size;
    },
    get leftOut() {
      return size - headSize - tailSize;
    },
    bytes() {
      const all = new Uint8Array(headSize + tailSize);
      let at = 0;
      for (const part of [...head, ...tail]) {
        all.set(part, at);
        at += part.length;
      }
      return all;
    },
  };
}
