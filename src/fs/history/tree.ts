import { joinBytes } from "../bytes.ts";
import { StorageError } from "../storage-error.ts";
import { fromHex, toHex } from "../bytes.ts";
import type { Oid } from "./object.ts";

/** An entry of a folder. The project has no file modes, so a file is a plain one. */
export interface TreeEntry {
  readonly kind: "file" | "folder";
  readonly oid: Oid;
}

const modes = { file: "100644", folder: "40000" } as const;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A tree object's bytes: the entries in git's order, in which a folder's name ends in "/". */
export function formatTree(entries: Iterable<readonly [name: string, entry: TreeEntry]>): Uint8Array {
  const sorted = Array.from(entries, ([name, entry]) => ({
    key: encoder.encode(entry.kind === "folder" ? `${name}/` : name),
    head: encoder.encode(`${modes[entry.kind]} ${name}\0`),
    oid: fromHex(entry.oid),
  })).toSorted((a, b) => compareBytes(a.key, b.key));
  return joinBytes(sorted.flatMap(({ head, oid }) => [head, oid]));
}

export function parseTree(bytes: Uint8Array): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw new StorageError("damaged", "a tree of the history is damaged");
    const folder = decoder.decode(bytes.subarray(at, space)) === modes.folder;
    entries.set(decoder.decode(bytes.subarray(space + 1, end)), {
      kind: folder ? "folder" : "file",
      oid: toHex(bytes.subarray(end + 1, end + 21)),
    });
    at = end + 21;
  }
  return entries;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
