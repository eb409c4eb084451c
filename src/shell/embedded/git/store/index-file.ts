import { sha1 } from "@noble/hashes/legacy.js";
import { fatal } from "../stop.ts";
import { compareBytes, concat, decode, encode, fromHex, toHex } from "../text/bytes.ts";
import type { FileRef } from "./model.ts";

/** A file in the index. Size and time are those of the working tree's file when it had this content; a size of -1 means unknown. */
export interface IndexEntry extends FileRef {
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  /** Set by `git update-index`: the working tree's file is ignored. */
  readonly kept?: "assumed" | "skipped";
}

/** The sides of a path with an unresolved merge. */
export interface Conflict {
  readonly base: FileRef | null;
  readonly ours: FileRef | null;
  readonly theirs: FileRef | null;
}

/** The content of `.git/index`. A path is in `files` or in `conflicts`, never in both. */
export interface Index {
  readonly files: Map<string, IndexEntry>;
  readonly conflicts: Map<string, Conflict>;
  /** `git add -N`: paths that are known but have no content yet, with their modes. They are not in `files`. */
  readonly intents?: Map<string, number>;
}

/** A path can't be a file and a folder at once: removes the entries that these files replace. */
export function makeRoom(index: Index, paths: ReadonlySet<string>): void {
  for (const entries of [index.files, index.conflicts, index.intents ?? new Map<string, number>()]) {
    for (const path of paths) for (const above of foldersAbove(path)) entries.delete(above);
    for (const path of entries.keys()) if (!paths.has(path) && foldersAbove(path).some((above) => paths.has(above))) entries.delete(path);
  }
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}

export function parseIndex(bytes: Uint8Array): Index {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = new Map<string, IndexEntry>();
  const conflicts = new Map<string, { base: FileRef | null; ours: FileRef | null; theirs: FileRef | null }>();
  const intents = new Map<string, number>();
  if (bytes.length < 32 || decode(bytes.subarray(0, 4)) !== "DIRC") fatal("index file is damaged");
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3) fatal(`index file has version ${version}; Vibey's git reads 2 and 3`);
  let at = 12;
  for (let left = view.getUint32(8); left > 0; left--) {
    const flags = view.getUint16(at + 60);
    const start = at + 62 + (flags & 0x4000 ? 2 : 0);
    const end = bytes.indexOf(0, start);
    if (end < 0) fatal("index file is damaged");
    const path = decode(bytes.subarray(start, end));
    const ref: FileRef = { mode: view.getUint32(at + 24), oid: toHex(bytes.subarray(at + 40, at + 60)) };
    const stage = (flags >> 12) & 3;
    const more = flags & 0x4000 ? view.getUint16(at + 62) : 0;
    if (stage === 0 && (more & 0x2000) !== 0) intents.set(path, ref.mode);
    else if (stage === 0) {
      const mtime = view.getUint32(at + 8) * 1000 + Math.floor(view.getUint32(at + 12) / 1e6);
      files.set(path, { ...ref, size: view.getUint32(at + 36), mtime, ...keptOf(flags, more) });
    } else {
      const sides = conflicts.get(path) ?? { base: null, ours: null, theirs: null };
      sides[stage === 1 ? "base" : stage === 2 ? "ours" : "theirs"] = ref;
      conflicts.set(path, sides);
    }
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return { files, conflicts, intents };
}

export const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";

function keptOf(flags: number, more: number): Pick<IndexEntry, "kept"> {
  return (flags & 0x8000) !== 0 ? { kept: "assumed" } : (more & 0x4000) !== 0 ? { kept: "skipped" } : {};
}

/** `absent`: files that git must neither look for in the working tree nor write there. */
export function formatIndex({ files, conflicts, intents }: Index, absent: (path: string) => boolean = () => false): Uint8Array {
  const rows: Row[] = [];
  for (const [path, entry] of files) rows.push({ path, stage: 0, entry, more: absent(path) || entry.kept === "skipped" ? 0x4000 : 0 });
  for (const [path, mode] of intents ?? [])
    if (!files.has(path) && !conflicts.has(path))
      rows.push({ path, stage: 0, entry: { mode, oid: emptyBlob, size: 0, mtime: 0 }, more: 0x2000 });
  for (const [path, { base, ours, theirs }] of conflicts) {
    for (const [i, side] of [base, ours, theirs].entries())
      if (side) rows.push({ path, stage: i + 1, entry: { ...side, size: 0, mtime: 0 }, more: 0 });
  }
  rows.sort((a, b) => compareBytes(a.path, b.path) || a.stage - b.stage);
  const head = new Uint8Array(12);
  head.set(encode("DIRC"));
  new DataView(head.buffer).setUint32(4, rows.some(({ more }) => more !== 0) ? 3 : 2);
  new DataView(head.buffer).setUint32(8, rows.length);
  const body = concat([head, ...rows.map(formatEntry)]);
  return concat([body, sha1(body)]);
}

interface Row {
  readonly path: string;
  readonly stage: number;
  readonly entry: IndexEntry;
  /** Extended flags: the ones that the regular flags have no room for. */
  readonly more: number;
}

function formatEntry({ path, stage, entry, more }: Row): Uint8Array {
  const name = encode(path);
  const start = more === 0 ? 62 : 64;
  const bytes = new Uint8Array(Math.ceil((start + name.length + 1) / 8) * 8);
  const view = new DataView(bytes.buffer);
  const known = entry.size >= 0;
  const seconds = known ? Math.floor(entry.mtime / 1000) : 0;
  const nanoseconds = known ? Math.round(entry.mtime % 1000) * 1e6 : 0;
  for (const offset of [0, 8]) {
    view.setUint32(offset, seconds);
    view.setUint32(offset + 4, nanoseconds);
  }
  view.setUint32(24, entry.mode);
  view.setUint32(36, known ? entry.size : 0);
  bytes.set(fromHex(entry.oid), 40);
  view.setUint16(60, (entry.kept === "assumed" ? 0x8000 : 0) | (more === 0 ? 0 : 0x4000) | (stage << 12) | Math.min(name.length, 0xfff));
  if (more !== 0) view.setUint16(62, more);
  bytes.set(name, start);
  return bytes;
}
