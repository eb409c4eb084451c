import { StorageError } from "../storage-error.ts";
import type { Path } from "../path.ts";
import type { LogFile } from "./backup-location.ts";
import { type Head, readRecord, strideBytes } from "./record.ts";

/** A file in a generation. Its bytes stay in the log until they are needed. */
export interface CopiedFile {
  readonly id: number;
  readonly path: Path;
  /** Milliseconds since 1970. */
  readonly mtime: number;
  readonly version: number;
  /** In bytes. */
  readonly size: number;
  readonly stable: number;
  /** The positions of its bytes in the log, in order. */
  readonly parts: readonly { readonly at: number; readonly length: number }[];
}

/** The combined result of a generation's records. Only `take` changes it. */
export interface Contents {
  readonly project: string;
  readonly generation: number;
  readonly files: Map<number, CopiedFile>;
  readonly byPath: Map<Path, number>;
  /**
   * The last mark: the commit up to which the log is complete, and when the mark was made, in milliseconds since 1970. Null: the log is incomplete.
   */
  mark: { readonly version: number; readonly at: number; readonly opening: string | null } | null;
  /** Bytes of the log that are complete records. */
  end: number;
  /** Bytes of all files. */
  live: number;
}

/** The last commit that changed one of these files. */
export const lastVersion = (files: readonly CopiedFile[]): number => files.reduce((last, { version }) => Math.max(last, version), 0);

/** Adds a record whose bytes are at `at`. Returns false, and changes nothing, if it contradicts earlier records. */
export function take(contents: Contents, head: Head, at: number, length: number): boolean {
  const { files, byPath } = contents;
  const drop = (id: number | undefined) => {
    const file = id === undefined ? undefined : files.get(id);
    if (!file) return;
    files.delete(file.id);
    if (byPath.get(file.path) === file.id) byPath.delete(file.path);
    contents.live -= file.size;
  };
  switch (head.op) {
    case "begin":
      return false;
    case "gone":
      drop(head.id);
      return true;
    case "mark":
      contents.mark = { version: head.version, at: head.at, opening: head.opening };
      return true;
    case "file": {
      const { id, path, mtime, version, keep, stable } = head;
      const parts = firstBytes(files.get(id)?.parts ?? [], keep);
      if (!parts || stable > keep + length) return false;
      if (length > 0) parts.push({ at, length });
      drop(id);
      drop(byPath.get(path));
      files.set(id, { id, path, mtime, version, size: keep + length, stable, parts });
      byPath.set(path, id);
      contents.live += keep + length;
      return true;
    }
  }
}

function firstBytes(parts: CopiedFile["parts"], count: number): { at: number; length: number }[] | null {
  const kept: { at: number; length: number }[] = [];
  let left = count;
  for (const { at, length } of parts) {
    if (left === 0) break;
    kept.push({ at, length: Math.min(length, left) });
    left -= Math.min(length, left);
  }
  return left === 0 ? kept : null;
}

export function emptyContents(project: string, generation: number): Contents {
  return { project, generation, files: new Map(), byPath: new Map(), mark: null, end: 0, live: 0 };
}

/**
 * Reads a log up to its last complete record. What follows was torn by a crash or lost by the disk. Null if it does not begin like a log. Without
 * `verify`, the files' bytes are not checked.
 */
export async function readLog(file: LogFile, verify = true): Promise<Contents | null> {
  const size = file.getSize();
  const first = await readRecord(file, 0, size, verify);
  if (first?.head.op !== "begin") return null;
  const contents = emptyContents(first.head.project, first.head.generation);
  contents.end = first.next;
  for (let record = await readRecord(file, contents.end, size, verify); record; ) {
    if (!take(contents, record.head, record.at, record.length)) break;
    contents.end = record.next;
    record = await readRecord(file, contents.end, size, verify);
  }
  return contents;
}

/** The bytes of a file in the log, in pieces of `most` bytes. The last piece may be shorter. */
export function* contentOf(log: LogFile, file: CopiedFile, most = strideBytes): Generator<Uint8Array<ArrayBuffer>> {
  let left = file.size;
  let piece = new Uint8Array(Math.min(most, left));
  let filled = 0;
  for (const { at, length } of file.parts)
    for (let from = 0; from < length; ) {
      const count = Math.min(length - from, piece.length - filled);
      if (log.read(piece.subarray(filled, filled + count), { at: at + from }) !== count)
        throw new StorageError("damaged", `the copy of ${file.path} has lost bytes since it was read`);
      from += count;
      filled += count;
      if (filled < piece.length) continue;
      yield piece;
      left -= filled;
      piece = new Uint8Array(Math.min(most, left));
      filled = 0;
    }
}
