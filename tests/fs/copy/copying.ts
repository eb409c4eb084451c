import type { FileEvent } from "../../../src/fs/files.ts";
import { findCopies, type FoundCopy, openCopy } from "../../../src/fs/copy/found.ts";
import { type Difference, keepCopy, type SecondCopy } from "../../../src/fs/copy/keep.ts";
import type { BackupLocation, LogFile } from "../../../src/fs/copy/backup-location.ts";
import { restoreCopy } from "../../../src/fs/copy/restore.ts";
import type { IdbFiles } from "../../../src/fs/idb.ts";
import type { Revision } from "../../../src/fs/revision.ts";

/** A place in memory, with what tests have to see of it and do to it. */
export interface MemoryPlace extends BackupLocation {
  readonly logs: Map<number, Uint8Array<ArrayBuffer>>;
  /** Generations that a worker has open. */
  readonly held: Set<number>;
  /** Bytes that were ever written. */
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

/** What was last remembered of the copy in a place. */
export const lastNoted = new WeakMap<BackupLocation, Revision>();

export interface Copying extends SecondCopy {
  readonly reported: unknown[];
  /** What was remembered of it elsewhere, in order. */
  readonly noted: Revision[];
  /** Why it was frozen. */
  readonly frozen: Difference[];
  /** What waits for its time: milliseconds, ascending. */
  readonly waits: () => number[];
  /** Begins everything that is due within so many milliseconds. */
  fire(ms: number): void;
  /** Lets it happen, to its end. */
  pass(ms: number): Promise<void>;
}

/** A copy of these files whose clock stands still, unless it is given one. */
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

/** The newest copy and its files' texts, as `a=one b=two`; null when none is whole. */
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

/** Makes the database `name` anew from the newest copy. */
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
