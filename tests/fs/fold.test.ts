import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Folded, fold, foldBytes, type StoredPiece } from "../../src/fs/fold.ts";
import type { FileRecord } from "../../src/fs/file-record.ts";
import { path } from "./notation.ts";

const KB = 1024;

/** Sizes in KB; "o" marks an open piece. `[1, "2o"]` is a closed piece and an open one. */
type Sizes = (number | `${number}o`)[];

function run(sizes: Sizes): { folded: Folded; before: Uint8Array[]; after: StoredPiece[]; openAt: number[] } {
  const pieces = sizes.map((size, n) => ({ n, bytes: new Uint8Array(Number.parseFloat(`${size}`) * KB).fill(n + 1) }));
  const openAt = sizes.flatMap((size, n) => (typeof size === "string" ? [n] : []));
  const open = openAt.map((n) => ({ label: `${n}`, n, size: pieces[n]?.bytes.length ?? 0 }));
  const record: FileRecord = { path: path("a"), id: 1, size: 0, mtime: 0, version: 1, next: pieces.length, foldedTo: 0, open };
  const folded = fold(record, pieces);
  const stored = new Map<number, Uint8Array>(pieces.map((piece) => [piece.n, piece.bytes]));
  for (const n of folded.drop) stored.delete(n);
  for (const { n, bytes } of folded.put) stored.set(n, bytes);
  const after = [...stored].map(([n, bytes]) => ({ n, bytes })).toSorted((x, y) => x.n - y.n);
  return { folded, before: pieces.map((piece) => piece.bytes), after, openAt };
}

const size = (all: readonly Uint8Array[]): number => all.reduce((sum, bytes) => sum + bytes.length, 0);

describe("folding", () => {
  test.each<[title: string, before: Sizes, after: number[], foldedTo: number]>([
    ["nothing", [], [], 0],
    ["one piece", [1], [1], 0],
    ["small pieces become one", [1, 2, 3, 4], [10], 0],
    ["empty pieces go", [0, 1, 0, 2, 0], [3], 0],
    ["no piece becomes larger than 256 KB", [100, 100, 100], [200, 100], 2],
    ["a piece is joined with one of half its size", [100, 50, 30, 20], [150, 50], 2],
    ["and not with a smaller one", [100, 20, 2], [100, 20, 2], 0],
    ["unless it is small itself", [100, 16, 2], [100, 18], 0],
    ["small pieces before a larger one are joined", [1, 1, 1, 17, 1], [20, 1], 0],
    ["a full piece is done with, and so is what stands before it", [4, 4, 300, 4, 4], [8, 300, 8], 3],
    ["an open piece is joined with none", [1, 1, "1o", 1, 1], [2, 1, 2], 0],
    ["nothing behind an open piece is done with", ["1o", 300, 1], [1, 300, 1], 0],
    ["an empty open piece stays", [1, "0o", 1], [1, 0, 1], 0],
  ])("%s", (_title, before, after, foldedTo) => {
    const result = run(before);
    expect(result.after.map(({ bytes }) => bytes.length / KB)).toEqual(after);
    expect(result.folded.foldedTo).toBe(foldedTo);
  });

  const sizes = fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 40 }) },
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 9 }).map((kb): `${number}o` => `${kb}o`),
    ),
    { maxLength: 40 },
  );

  test("keeps the bytes, the order, the open pieces and the limit, and leaves few pieces", () => {
    fc.assert(
      fc.property(sizes, (before) => {
        const result = run(before);
        const joined = result.after.flatMap(({ bytes }) => compress(bytes));
        expect(joined.join()).toBe(result.before.flatMap(compress).join());
        for (const n of result.openAt) expect(result.after.find((piece) => piece.n === n)?.bytes).toBe(result.before[n]);
        for (const { bytes } of result.folded.put) expect(bytes.length).toBeLessThanOrEqual(foldBytes);
        const closed = result.after.filter(({ n }) => !result.openAt.includes(n));
        for (const { bytes } of closed) expect(bytes.length).toBeGreaterThan(0);
        expect(result.folded.foldedTo).toBeLessThanOrEqual(result.openAt[0] ?? before.length);
        // At most one piece smaller than 16 KB in each run between open pieces, and one before each full piece.
        const small = closed.filter(({ bytes }) => bytes.length <= 16 * KB).length;
        const full = closed.filter(({ bytes }) => bytes.length * 2 >= foldBytes).length;
        expect(small).toBeLessThanOrEqual(result.openAt.length + 1 + full);
      }),
      { numRuns: 200 },
    );
  });

  test("writes a byte a few times at most, however often it folds", () => {
    // 2,000 turns of about 2 KB: joining the tail up to 256 KB each time would write each byte 64 times.
    let stored: StoredPiece[] = [];
    let foldedTo = 0;
    let appended = 0;
    let written = 0;
    for (let turn = 0; turn < 2000; turn++) {
      const bytes = new Uint8Array(1500 + ((turn * 7919) % 1000));
      stored.push({ n: turn, bytes });
      appended += bytes.length;
      const record: FileRecord = { path: path("a"), id: 1, size: 0, mtime: 0, version: 1, next: turn + 1, foldedTo, open: [] };
      const tail = stored.filter(({ n }) => n >= foldedTo);
      expect(size(tail.map((piece) => piece.bytes))).toBeLessThanOrEqual(foldBytes + bytes.length);
      const folded = fold(record, tail);
      written += size(folded.put.map((piece) => piece.bytes));
      const put = new Map(folded.put.map((piece) => [piece.n, piece.bytes]));
      stored = stored.filter(({ n }) => !folded.drop.includes(n)).map(({ n, bytes: old }) => ({ n, bytes: put.get(n) ?? old }));
      foldedTo = folded.foldedTo;
    }
    expect(written / appended).toBeLessThan(9);
    expect(stored.length).toBeLessThan((2 * appended) / foldBytes + 10);
  });
});

/** Each piece in these tests repeats one value: one number per KB shows where the piece went. */
function compress(bytes: Uint8Array): number[] {
  const values: number[] = [];
  for (let at = 0; at < bytes.length; at += KB) values.push(bytes[at] ?? 0);
  return values;
}
