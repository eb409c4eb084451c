import { contentOf, type Contents, type CopiedFile, readLog } from "./contents.ts";
import type { CopyPlace } from "./place.ts";
import { StorageError } from "../storage-error.ts";

/** A generation that is there to be read; it is whole. */
export interface FoundCopy {
  readonly project: string;
  readonly generation: number;
  /** Milliseconds since 1970: all that was stored by then is in it. */
  readonly at: number;
  /** The last commit that is in it. */
  readonly version: number;
  readonly files: readonly CopiedFile[];
  /** Of all files. */
  readonly bytes: number;
  /** The log has an end that can't be read: what a crash tore, or the disk has lost. */
  readonly torn: boolean;
}

/** The copies that are whole, the newest first. Each is read to its last whole record; `verify`: each byte of it. */
export async function findCopies(place: CopyPlace, verify: boolean): Promise<readonly FoundCopy[]> {
  const found: FoundCopy[] = [];
  for (const generation of (await place.generations()).toReversed()) {
    const log = await place.open(generation);
    if (!log) continue;
    try {
      const contents = await readLog(log, verify);
      if (contents) found.push(...toFound(contents, log.getSize()));
    } finally {
      log.close();
    }
  }
  return found;
}

function toFound(contents: Contents, size: number): FoundCopy[] {
  const { project, generation, mark, files, live, end } = contents;
  if (!mark) return [];
  return [{ project, generation, at: mark.at, version: mark.version, files: [...files.values()], bytes: live, torn: end < size }];
}

/** A copy that is open to be read. */
export interface OpenCopy {
  readonly content: (file: CopiedFile) => Uint8Array<ArrayBuffer>;
  readonly close: () => void;
}

/** Rejects with a `StorageError` when another worker has it open. */
export async function openCopy(place: CopyPlace, { generation }: FoundCopy): Promise<OpenCopy> {
  const log = await place.open(generation);
  if (!log) throw new StorageError("broken", "another tab has the second copy open");
  return { content: (file) => contentOf(log, file), close: () => log.close() };
}

/**
 * Whether an empty project beside this copy has lost its files: false only where nothing was ever copied, or the newest copy says that
 * there were none. A copy that can't be looked at tells of them.
 */
export async function tellsOfFiles(open: () => Promise<CopyPlace>): Promise<boolean> {
  try {
    const place = await open();
    if ((await place.generations()).length === 0) return false;
    const [newest] = await findCopies(place, false);
    return newest?.files.length !== 0;
  } catch (error) {
    if (error instanceof StorageError) return true;
    throw error;
  }
}

/** Removes all generations but the newest whole one; answers whether there were others. */
export async function spareOlder(place: CopyPlace): Promise<boolean> {
  const [newest] = await findCopies(place, false);
  const others = (await place.generations()).filter((generation) => generation !== newest?.generation);
  for (const generation of others) await place.remove(generation);
  return others.length > 0;
}
