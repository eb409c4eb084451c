import type { FileEvent } from "../../../src/fs/files.ts";
import { findCopies, type FoundCopy, openCopy } from "../../../src/fs/copy/found.ts";
import { type Difference, keepCopy, type SecondCopy } from "../../../src/fs/copy/keep.ts";
import type { BackupLocation, LogFile } from "../../../src/fs/copy/backup-location.ts";
import { restoreCopy } from "../../../src/fs/copy/restore.ts";
import type { IdbFiles } from "../../../src/fs/idb.ts";
import type { Revision } from "../../../src/fs/revision.ts";

/** A backup location in memory that tests can inspect and change. */
export interface MemoryPlace extends BackupLocation {
  readonly logs: Map<number, Uint8Array<ArrayBuffer>>;
  /** Generations that a worker has open. */
  readonly held: Set<number>;
  /** The number of bytes ever written. */
  written: number;
  /** Called before each write. */
  beforeWrite: (bytes: number) => void;
}

export function memoryPlace(): MemoryPlace {
  const logs = new Map<number, Uint8Array<ArrayBuffer>>();
  const held = new Set<number>();
  const place: MemoryPlace = {
    logs,
    held,
    written: 0,
    beforeWrite: () => undefined,
    generations: async () => [...logs.keys()].toSorted((a, b) => a - b),
    async open(generation) {
      if (held.has(generation)) return null;
      held.add(generation);
      logs.set(generation, logs.get(generation) ?? new Uint8Array());
      return fileIn(place, generation);
    },
    async remove(generation) {
      if (!held.has(generation)) logs.delete(generation);
    },
  };
  return place;
}

function fileIn(place: MemoryPlace, generation: number): LogFile {
  const bytes = () => place.logs.get(generation) ?? new Uint8Array();
  return {
    getSize: () => bytes().length,
    read(buffer, { at }) {
      const found = bytes().subarray(at, at + buffer.length);
      buffer.set(found);
      return found.length;
    },
    write(buffer, { at }) {
      place.beforeWrite(buffer.length);
      place.written += buffer.length;
      const grown = new Uint8Array(Math.max(bytes().length, at + buffer.length));
      grown.set(bytes());
      grown.set(buffer, at);
      place.logs.set(generation, grown);
      return buffer.length;
    },
    truncate: (size) => void place.logs.set(generation, bytes().slice(0, size)),
    flush: () => undefined,
    close: () => void place.held.delete(generation),
  };
}

/** The last revision noted about the backup in a location. */
export const lastNoted = new WeakMap<BackupLocation, Revision>();

export interface Copying extends SecondCopy {
  readonly reported: unknown[];
  /** The revisions noted elsewhere about the backup, in order. */
  readonly noted: Revision[];
  /** Why the backup was frozen. */
  readonly frozen: Difference[];
  /** The pending waits in milliseconds, ascending. */
  readonly waits: () => number[];
  /** Starts everything due within `ms` milliseconds. */
  fire(ms: number): void;
  /** The same, and waits until it is done. */
  pass(ms: number): Promise<void>;
}

/** A backup of these files. Its clock stands still unless `now` is given. */
export async function copying(
  files: IdbFiles,
  place: BackupLocation,
  options: { readonly canWait?: (event: FileEvent) => boolean; readonly now?: () => number } = {},
): Promise<Copying> {
  const reported: unknown[] = [];
  const noted: Revision[] = [];
  const frozen: Difference[] = [];
  let waiting: { run: () => void; ms: number }[] = [];
  const copy = keepCopy({
    source: await files.source(),
    place: async () => place,
    now: options.now ?? (() => 1_000),
    later: (run, ms) => void waiting.push({ run, ms }),
    newId: () => "a project",
    isCopied: (path) => !path.includes("node_modules"),
    canWait: options.canWait ?? (() => false),
    note: async (revision) => {
      noted.push(revision);
      lastNoted.set(place, revision);
    },
    noted: async () => lastNoted.get(place) ?? null,
    frozen: (difference) => void frozen.push(difference),
    report: (error) => reported.push(error),
  });
  const fire = (ms: number) => {
    const due = waiting.filter((wait) => wait.ms <= ms);
    waiting = waiting.filter((wait) => wait.ms > ms);
    for (const { run } of due) run();
  };
  return {
    ...copy,
    reported,
    noted,
    frozen,
    waits: () => waiting.map(({ ms }) => ms).toSorted((a, b) => a - b),
    fire,
    async pass(ms) {
      fire(ms);
      await copy.settle();
    },
  };
}

/** The newest backup and its files' texts, as `a=one b=two`; null if none is complete. */
export async function newest(place: BackupLocation): Promise<{ readonly copy: FoundCopy; readonly texts: string } | null> {
  const [copy] = (await findCopies(place, true)).copies;
  const open = copy && (await openCopy(place, copy));
  if (!copy || !open) return null;
  const texts = copy.files
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map((file) => `${file.path}=${new TextDecoder().decode(open.content(file))}`)
    .join(" ");
  open.close();
  return { copy, texts };
}

/** Recreates the database `name` from the newest backup. */
export async function restore(place: BackupLocation, name: string, signal = new AbortController().signal): Promise<number[]> {
  const [copy] = (await findCopies(place, true)).copies;
  const open = copy && (await openCopy(place, copy));
  if (!copy || !open) throw new Error("there is no whole copy");
  const progress: number[] = [];
  const { pieces, close } = open;
  const onProgress = (part: number) => void progress.push(part);
  await restoreCopy({ name, copy, settled: [], pieces, signal, onProgress, onBlocked: () => undefined }).finally(close);
  return progress;
}
