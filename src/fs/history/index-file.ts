import { sha1 } from "@noble/hashes/legacy.js";
import { fromHex, joinBytes } from "../bytes.ts";
import type { Oid } from "./object.ts";
import { compareBytes } from "./tree.ts";

/** A file of a tree, under its name in the tree. */
export interface IndexEntry {
  readonly path: string;
  readonly oid: Oid;
  /** git should neither look for it in the working tree nor check it out. */
  readonly skipped?: boolean;
}

const encoder = new TextEncoder();

/** Bytes of an entry before its name, and the longest name length that its flags can express. */
const headBytes = 62;
const maxNameLength = 0xfff;

/**
 * git's index of these files. Without it, git treats every file next to the repository as new. It has no information about the files on disk, as
 * after `git read-tree`: git compares them on first use.
 */
export function indexFile(entries: readonly IndexEntry[]): Uint8Array {
  const head = new DataView(new ArrayBuffer(12));
  head.setUint32(0, 0x44495243);
  head.setUint32(4, entries.some(({ skipped }) => skipped) ? 3 : 2);
  head.setUint32(8, entries.length);
  const sorted = entries
    .map(({ path, oid, skipped = false }) => ({ name: encoder.encode(path), oid, skipped }))
    .toSorted((a, b) => compareBytes(a.name, b.name))
    .map(({ name, oid, skipped }) => {
      // At least one NUL after the name, and a length divisible by eight.
      const start = headBytes + (skipped ? 2 : 0);
      const entry = new Uint8Array((start + name.length + 8) & ~7);
      const view = new DataView(entry.buffer);
      view.setUint32(24, 0o100644);
      entry.set(fromHex(oid), 40);
      view.setUint16(60, (skipped ? 0x4000 : 0) | Math.min(name.length, maxNameLength));
      if (skipped) view.setUint16(headBytes, 0x4000);
      entry.set(name, start);
      return entry;
    });
  const body = joinBytes([new Uint8Array(head.buffer), ...sorted]);
  return joinBytes([body, sha1(body)]);
}
