import { contentOf, type Contents, type CopiedFile, readLog } from "./contents.ts";
import { joinBytes } from "../bytes.ts";
import type { BackupLocation, LogFile } from "./backup-location.ts";
import type { Revision } from "../revision.ts";
import { StorageError } from "../storage-error.ts";

/** A generation that can be read. It is complete. */
export interface FoundCopy {
  readonly project: string;
  readonly generation: number;
  /** Milliseconds since 1970. Contains everything that was stored by then. */
  readonly at: number;
  /** The revision of the last commit in it. */
  readonly revision: Revision;
  readonly files: readonly CopiedFile[];
  /** Bytes of all files. */
  readonly bytes: number;
  /** The end of the log can't be read: a crash tore it, or the disk has lost it. */
  readonly torn: boolean;
}

export interface Found {
  readonly copies: readonly FoundCopy[];
  /** The number of generations that another worker has open. They can't be read until it closes them. */
  readonly held: number;
}

/** The complete backups, newest first. Each is read up to its last complete record. `verify`: checks every byte. */
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

/** A backup that is open for reading. */
export interface OpenCopy {
  /** A file's bytes in pieces of `most` bytes. The last piece may be shorter. */
  readonly pieces: (file: CopiedFile, most: number) => Iterable<Uint8Array<ArrayBuffer>>;
  readonly content: (file: CopiedFile) => Uint8Array<ArrayBuffer>;
  readonly close: () => void;
}

/** Null: another worker has it open. */
export async function openCopy(place: BackupLocation, { generation }: FoundCopy): Promise<OpenCopy | null> {
  const log = await place.open(generation);
  return log && reader(log);
}

/** Like `openCopy`, but reads and checks every byte again. Rejects with a `StorageError` if the backup has changed since it was found. */
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
 * Whether an empty project with this backup has lost its files. False only if nothing was ever backed up or stored, or if the newest backup says that
 * there were no files. A backup that can't be read counts as true.
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

/** Removes all generations except the newest complete one. Returns whether there were others. */
export async function spareOlder(place: BackupLocation): Promise<boolean> {
  const [newest] = (await findCopies(place, true)).copies;
  const others = (await place.generations()).filter((generation) => generation !== newest?.generation);
  for (const generation of others) await place.remove(generation);
  return others.length > 0;
}
