import { contentOf, type Contents, type CopiedFile, readLog } from "./contents.ts";
import { joinBytes } from "../bytes.ts";
import type { BackupLocation, LogFile } from "./backup-location.ts";
import type { Revision } from "../revision.ts";
import { StorageError } from "../storage-error.ts";

/** A generation that is there to be read; it is whole. */
export interface FoundCopy {
  readonly project: string;
  readonly generation: number;
  /** Milliseconds since 1970: all that was stored by then is in it. */
  readonly at: number;
  /** Of the last commit that is in it. */
  readonly revision: Revision;
  readonly files: readonly CopiedFile[];
  /** Of all files. */
  readonly bytes: number;
  /** The log has an end that can't be read: what a crash tore, or the disk has lost. */
  readonly torn: boolean;
}

export interface Found {
  readonly copies: readonly FoundCopy[];
  /** Another worker has this many open, and they can't be read before it lets go of them. */
  readonly held: number;
}

/** The copies that are whole, the newest first. Each is read to its last whole record; `verify`: each byte of it. */
export async function findCopies(place: BackupLocation, verify: boolean): Promise<Found> {
  const found: FoundCopy[] = [];
  let held = 0;
  for (const generation of (await place.generations()).toReversed()) {
    const log = await place.open(generation);
    if (!log) {
      held += 1;
      continue;
    }
    try {
      const contents = await readLog(log, verify);
      if (contents) found.push(...toFound(contents, log.getSize()));
    } finally {
      log.close();
    }
  }
  return { copies: found, held };
}

function toFound(contents: Contents, size: number): FoundCopy[] {
  const { project, generation, mark, files, live, end } = contents;
  if (!mark) return [];
  return [
    {
      project,
      generation,
      at: mark.at,
      revision: { opening: mark.opening, version: mark.version },
      files: [...files.values()],
      bytes: live,
      torn: end < size,
    },
  ];
}

/** A copy that is open to be read. */
export interface OpenCopy {
  /** A file's bytes in pieces of `most` bytes; the last one may be shorter. */
  readonly pieces: (file: CopiedFile, most: number) => Iterable<Uint8Array<ArrayBuffer>>;
  readonly content: (file: CopiedFile) => Uint8Array<ArrayBuffer>;
  readonly close: () => void;
}

/** Null: another worker has it open. */
export async function openCopy(place: BackupLocation, { generation }: FoundCopy): Promise<OpenCopy | null> {
  const log = await place.open(generation);
  return log && reader(log);
}

/** The same, when each byte of it has been read again. Rejects with a `StorageError` when it is not as it was found. */
export async function openUnchanged(place: BackupLocation, copy: FoundCopy): Promise<OpenCopy | null> {
  const isThere = (await place.generations()).includes(copy.generation);
  const log = isThere ? await place.open(copy.generation) : undefined;
  if (log === null) return null;
  if (log && (await isAsFound(log, copy))) return reader(log);
  log?.close();
  throw new StorageError("damaged", "The backup is not as it was found. Nothing was changed. Reload the page to look at it again.");
}

async function isAsFound(log: LogFile, copy: FoundCopy): Promise<boolean> {
  const contents = await readLog(log);
  const [now] = contents ? toFound(contents, log.getSize()) : [];
  return JSON.stringify(now) === JSON.stringify(copy);
}

const reader = (log: LogFile): OpenCopy => ({
  pieces: (file, most) => contentOf(log, file, most),
  content: (file) => joinBytes([...contentOf(log, file)]),
  close: () => log.close(),
});

/**
 * Whether an empty project beside this copy has lost its files: false only where nothing was ever copied and nothing stored, or the newest
 * copy says that there were none. A copy that can't be looked at tells of them.
 */
export async function tellsOfFiles(open: () => Promise<BackupLocation>, written: () => Promise<boolean>): Promise<boolean> {
  try {
    const place = await open();
    if ((await place.generations()).length === 0) return await written();
    const { copies, held } = await findCopies(place, false);
    return held > 0 || copies[0]?.files.length !== 0;
  } catch (error) {
    if (error instanceof StorageError) return true;
    throw error;
  }
}

/** Removes all generations but the newest whole one; answers whether there were others. */
export async function spareOlder(place: BackupLocation): Promise<boolean> {
  const [newest] = (await findCopies(place, true)).copies;
  const others = (await place.generations()).filter((generation) => generation !== newest?.generation);
  for (const generation of others) await place.remove(generation);
  return others.length > 0;
}
