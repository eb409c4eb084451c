import type { Path } from "../path.ts";
import type { FileRecord } from "../file-record.ts";
import { StorageError } from "../storage-error.ts";
import type { Contents, CopiedFile } from "./contents.ts";
import type { CopySource } from "./source.ts";

export interface Compared {
  readonly source: Pick<CopySource, "tail">;
  readonly contents: Contents;
  readonly pieces: (file: CopiedFile) => Iterable<Uint8Array>;
}

/**
 * The files that database and backup have at the same version but with different bytes: one of the two has changed by itself. The backup is verified
 * by SHA-256, so it was the database.
 */
export async function changedByItself(files: readonly FileRecord[], { source, contents, pieces }: Compared): Promise<Path[]> {
  const found: Path[] = [];
  for (const { id, path, version } of files) {
    const copied = contents.files.get(id);
    if (copied?.version !== version || copied.path !== path) continue;
    try {
      const tail = await source.tail(path, null);
      // It was changed in the meantime, so it is no longer at this version.
      if (tail?.record.id !== id || tail.record.version !== version) continue;
      if (!areEqual(tail.pieces, pieces(copied))) found.push(path);
    } catch (error) {
      if (!(error instanceof StorageError && error.kind === "damaged")) throw error;
      found.push(path);
    }
  }
  return found;
}

/** Whether two lists of pieces contain the same bytes, however they are split. */
export function areEqual(one: Iterable<Uint8Array>, other: Iterable<Uint8Array>): boolean {
  const others = other[Symbol.iterator]();
  let rest: Uint8Array = new Uint8Array();
  const next = (): boolean => {
    for (let found = others.next(); !found.done; found = others.next()) {
      rest = found.value;
      if (rest.length > 0) return true;
    }
    return false;
  };
  for (const piece of one)
    for (let at = 0; at < piece.length; ) {
      if (rest.length === 0 && !next()) return false;
      const count = Math.min(rest.length, piece.length - at);
      for (let n = 0; n < count; n++) if (rest[n] !== piece[at + n]) return false;
      rest = rest.subarray(count);
      at += count;
    }
  return rest.length === 0 && !next();
}
