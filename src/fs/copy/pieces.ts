/* Bytes of a file as the pieces in which they came. A large file is never joined: that would use twice the memory. */

export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The pieces after the first `count` bytes, without copying. */
export function after(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  const left: Uint8Array[] = [];
  let skip = count;
  for (const piece of pieces) {
    if (skip < piece.length) left.push(skip === 0 ? piece : piece.subarray(skip));
    skip = Math.max(0, skip - piece.length);
  }
  return left;
}

/** The number of bytes with which both begin. */
export function commonStart(before: Uint8Array, pieces: readonly Uint8Array[]): number {
  let count = 0;
  for (const piece of pieces) {
    for (const byte of piece) {
      if (count === before.length || before[count] !== byte) return count;
      count += 1;
    }
  }
  return count;
}
