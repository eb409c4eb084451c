import { joinBytes } from "../bytes.ts";
import type { FileEvent } from "../files.ts";
import type { Path } from "../path.ts";
import type { FileRecord } from "../file-record.ts";
import type { Revision, RevisionStatus } from "../revision.ts";
import { StorageError } from "../storage-error.ts";
import { changedByItself } from "./compare.ts";
import { contentOf, type Contents, type CopiedFile, lastVersion, readLog } from "./contents.ts";
import { type OpenLog, openLog } from "./log.ts";
import { after, commonStart, sizeOf } from "./pieces.ts";
import { type BackupLocation, locationError } from "./backup-location.ts";
import type { CopySource, Known, Look, Tail } from "./source.ts";

/**
 * Writes a backup of a project in the background: a log of the files' new states, in its own location. When most of the log is out of date, it is
 * started over. The previous generation is kept until the next one is complete.
 *
 * - Nothing waits for it, and nothing fails because of it. `state` reports errors, and failed work is tried again.
 * - It writes only changes. For a dialog that grows, that is the end, so the cost does not grow with the file.
 * - A file that the database can no longer read stays in the backup as it was last read.
 */
export interface SecondCopy {
  state(): CopyState;
  /** The current contents. Null if there are none yet. Can be read until `close`, even if another generation has begun since. */
  current(): CurrentCopy | null;
  /** Writes everything that is not written yet. */
  settle(): Promise<void>;
  /** The project needs the space: removes the previous generation, and one that is being begun. Returns whether there was any. */
  giveWay(): Promise<boolean>;
  /** Stops writing, and closes the log. */
  close(): Promise<void>;
}

export interface CurrentCopy {
  readonly files: readonly CopiedFile[];
  readonly content: (file: CopiedFile) => Uint8Array;
  readonly close: () => void;
}

export interface CopyState {
  /** Null: nothing is written yet. `at`: milliseconds since 1970. The backup has everything that was stored by then. */
  readonly kept: { readonly generation: number; readonly at: number; readonly files: number; readonly bytes: number } | null;
  /** Why the backup can't be written now. Null if it can. */
  readonly trouble: string | null;
  /** Files of which the database has lost bytes. The backup has an earlier state of them, or nothing. */
  readonly damaged: readonly Path[];
}

/** `behind`, `other`: as in `RevisionStatus`. `partial`: the database has lost some of its files, or changed some by itself. */
export interface Difference {
  readonly why: "behind" | "other" | "partial";
  /** Details. Can be empty. */
  readonly message: string;
}

export interface CopyParts {
  readonly source: CopySource;
  readonly place: () => Promise<BackupLocation>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
  /** An id for a project that has none. */
  readonly newId: () => string;
  /** Whether a file belongs in the backup. */
  readonly isCopied: (path: Path) => boolean;
  /** Whether this change may wait for `pace.slowMs`: streamed text. */
  readonly canWait: (event: FileEvent) => boolean;
  /** Records elsewhere what the backup is about to contain. Called before anything of it is written. */
  readonly note: (revision: Revision, files: readonly Pick<CopiedFile, "path" | "size">[], at: number) => Promise<void>;
  /** What was recorded that way. Null if nothing readable was. */
  readonly noted: () => Promise<Revision | null>;
  /**
   * Called once if the database is no longer the one that was backed up. From then on the backup is frozen: nothing is written or removed until the
   * user has decided.
   */
  readonly frozen: (why: Difference) => void;
  readonly report: (error: unknown) => void;
}

const pace = {
  /** Milliseconds from a change to its backup, and from streamed text to its backup. */
  quickMs: 1_000,
  slowMs: 30_000,
  /** The pause after writing, as a multiple of the time that the writing took: writing takes at most a twentieth of the worker's time. */
  rest: 20,
  /** The longest pause in milliseconds: the device may have slept during the writing. */
  longestRestMs: 600_000,
  /** Milliseconds before failed work is tried again. */
  retryMs: 60_000,
} as const;

/** The log is started over if it is longer than this many times its live bytes, plus this many bytes. */
const garbage = { times: 2, bytes: 1_000_000 } as const;

/** Files that are looked up in one transaction. */
const lookedAtOnce = 500;

/** Bytes of a file's changing end that are kept in memory, so that only additions are written. */
const endBytes = 1_000_000;

export function keepCopy(parts: CopyParts): SecondCopy {
  const { source, now, later, report, isCopied, canWait, note } = parts;
  let log: OpenLog | null = null;
  let trouble: string | null = null;
  let over = false;
  /** The user has to decide first. */
  let isFrozen = false;
  /** So much is removed that a new generation begins. The previous one keeps the removed files. */
  let isShrinking = false;
  /** Any file may have changed, not only the dirty ones. */
  let all = true;
  const dirty = new Set<Path>();
  const damaged = new Set<Path>();
  /** By file id: the bytes after the stable part at the last backup. */
  const ends = new Map<number, Uint8Array>();
  const armed = { quick: false, slow: false, retry: false };
  let restMs = 0;
  let working: Promise<void> | null = null;
  /** Starting over has failed. Don't try again before the log is this long. */
  let notBefore = 0;
  /** The timers to arm when the current writing ends, because they fired during it or it failed. */
  const missed = new Set<keyof typeof armed>();
  let beginning = false;
  /** The project needs the space of the generation that is being begun. */
  let yielding = false;

  source.watch((events) => {
    for (const event of events) {
      if (event.kind === "renamed") dirty.add(event.from).add(event.to);
      else dirty.add(event.path);
    }
    arm(events.every(canWait) ? "slow" : "quick");
  });

  function arm(which: "quick" | "slow" | "retry"): void {
    if (armed[which] || over) return;
    armed[which] = true;
    const ms = Math.max(pace[`${which}Ms`], restMs);
    later(() => {
      armed[which] = false;
      if (working) missed.add(which);
      else if (dirty.size > 0 || all) work().catch(report);
    }, ms);
  }

  function work(): Promise<void> {
    working ??= write();
    return working;
  }

  async function write(): Promise<void> {
    // Lets `work` record this promise before the work can end.
    await Promise.resolve();
    let began = now();
    try {
      if (over) return;
      if (!log) {
        log = await resume();
        // Reading both stores once doesn't count for the pause.
        began = now();
      }
      if (log) await copyChanges(log, all);
      beginning = !log || isShrinking || isMostlyGarbage(log);
      if (beginning) await begin();
      isShrinking = false;
      trouble = null;
    } catch (error) {
      if (error instanceof Differs) freeze(error.difference);
      else failed(error);
    } finally {
      if (over) log?.close();
      restMs = Math.min((now() - began) * pace.rest, pace.longestRestMs);
      working = null;
      beginning = false;
      for (const which of missed) arm(which);
      missed.clear();
    }
  }

  /** The list of changed files is lost, so all files are checked again. Also after a mistake of ours. */
  function failed(given: unknown): void {
    const error = locationError(given);
    if (!(error instanceof StorageError)) report(error);
    else if (error.kind === "closed") over = true;
    if (over) return;
    trouble = error instanceof Error ? error.message : String(error);
    all = true;
    missed.add("retry");
  }

  function freeze(difference: Difference): void {
    over = true;
    isFrozen = true;
    trouble = frozenTrouble;
    parts.frozen(difference);
  }

  /** Throws if the database has never had the content of the newest complete backup. */
  async function checkStanding(mark: Revision, { files }: Contents): Promise<RevisionStatus> {
    const found = await source.revisionStatus(mark);
    if (found === "settled" || files.size === 0) return found;
    if (found === "behind" || found === "other") throw new Differs({ why: found, message: "" });
    // A crash may have come between files and their mark. The opening that wrote them is unknown, but not the number.
    const last = { opening: null, version: lastVersion([...files.values()]) };
    if ((await source.revisionStatus(last)) === "behind") throw new Differs({ why: "behind", message: "" });
    return found;
  }

  /** Throws if the database has changed files by itself since the backup. */
  async function checkContents(contents: Contents, pieces: (file: CopiedFile) => Iterable<Uint8Array>): Promise<void> {
    const { files, damage } = await source.look();
    if (damage !== null) throw new Differs({ why: "partial", message: damage });
    if (files.some(({ id, version }) => version < (contents.files.get(id)?.version ?? 0))) throw new Differs({ why: "other", message: "" });
    const changed = await changedByItself(files, { source, contents, pieces });
    if (changed.length > 0) throw new Differs({ why: "partial", message: changed.slice(0, maxNamed).join(", ") });
  }

  /** Whether an unreadable log can be trusted to contain nothing that the database never had. The note, which is written before the log, says so. */
  async function isVouchedFor(): Promise<boolean> {
    const noted = await parts.noted();
    return noted !== null && ["held", "settled"].includes(await source.revisionStatus(noted));
  }

  /**
   * The generation that the database records as its own, if it is complete and undamaged. Throws if the database is not the one that was backed up.
   */
  async function resume(): Promise<OpenLog | null> {
    const place = await parts.place();
    const sentinel = await source.sentinel();
    const generations = (await place.generations()).toReversed();
    for (const generation of generations) {
      const file = await place.open(generation);
      if (!file) {
        // Another worker has it open, so it is not ours to write.
        if (await isVouchedFor()) return null;
        throw new StorageError("broken", "another tab has the backup open");
      }
      let opened: OpenLog | null = null;
      try {
        const contents = await readLog(file);
        if (!contents?.mark) continue;
        const { mark, project } = contents;
        // After a power failure, numbers of commits and files are used again with other meanings.
        if ((await checkStanding(mark, contents)) !== "held") return null;
        const isOwn = project === sentinel?.project;
        // Without an opening, only the number says that it is held, and the backup may be another project's.
        if (isOwn || mark.opening !== null) await checkContents(contents, (copied) => contentOf(file, copied));
        const isCurrent = contents.generation === generation && sentinel?.generation === generation && generation === generations[0];
        if (!isOwn || !isCurrent || !(await isOnOneBranch(mark, contents))) return null;
        opened = await openLog(file, contents);
        return opened;
      } finally {
        if (!opened) file.close();
      }
    }
    return null;
  }

  /** Whether the files after the last mark are certainly of the same branch. */
  async function isOnOneBranch(mark: Revision, { files }: Contents): Promise<boolean> {
    const version = lastVersion([...files.values()]);
    return version <= mark.version || (await source.revisionStatus({ ...mark, version })) === "held";
  }

  async function begin(): Promise<void> {
    // Intentional removals are always followed: a full disk is the reason to remove files.
    if (log && !isShrinking && log.contents.end < notBefore) return;
    const place = await parts.place();
    const older = await place.generations();
    const sentinel = await source.sentinel();
    const generation = Math.max(0, sentinel?.generation ?? 0, ...older) + 1;
    const project = sentinel?.project ?? parts.newId();
    const file = await place.open(generation);
    if (!file) throw new StorageError("broken", "another tab is writing the backup");
    try {
      const next = await openLog(file, null, { op: "begin", format: 1, project, generation });
      ends.clear();
      await copyChanges(next, true);
      next.flush();
      await source.setSentinel({ project, generation });
      log?.retire();
      log = next;
    } catch (error) {
      notBefore = 2 * (log?.contents.end ?? 0);
      // They may be newer than the content of the log that continues.
      ends.clear();
      file.close();
      await place.remove(generation);
      throw error;
    }
    await removeOlder(place, older);
  }

  /** Removes all older generations except the newest complete one, which remains if this one is damaged. */
  async function removeOlder(place: BackupLocation, older: readonly number[]): Promise<void> {
    let kept = false;
    for (const generation of older.toReversed()) {
      if (!kept) {
        const file = await place.open(generation);
        try {
          kept = file !== null && isWhole(await readLog(file));
        } finally {
          file?.close();
        }
        if (kept) continue;
      }
      await place.remove(generation);
    }
  }

  /** Brings a log up to date with the database. */
  async function copyChanges(to: OpenLog, everything: boolean): Promise<void> {
    const wanted = everything ? null : [...dirty].filter(isCopied);
    dirty.clear();
    if (wanted?.length === 0) return;
    const at = now();
    const { revision, files, damage } = wanted === null ? await source.look() : await lookAt(wanted);
    if (damage !== null) throw new Differs({ why: "partial", message: damage });
    const will = new Map([...to.contents.files.values()].map(({ path, size }) => [path, size]));
    const goes = goesFrom(to.contents, wanted, files);
    for (const path of goes) will.delete(path);
    for (const { path, size } of files) if (isCopied(path)) will.set(path, size);
    if (goes.length > 0) {
      // Removes only what was removed according to the chain.
      const whole = wanted ? (await source.look()).damage : null;
      if (whole !== null) throw new Differs({ why: "partial", message: whole });
      if (to === log && isLargePart(to.contents, goes)) {
        isShrinking = true;
        all = true;
        return;
      }
    }
    await note(
      revision,
      [...will].map(([path, size]) => ({ path, size })),
      at,
    );
    const there = new Set<Path>();
    const moved = new Set<number>();
    // Bytes that were lost before the database was opened may be anywhere in a file.
    const count = everything ? "all" : "read";
    // Existing files first, renamed ones before the others: so they have left their old paths before those paths are processed.
    for (const record of renamedFirst(files, to.contents)) {
      there.add(record.path);
      if (yielding && to !== log) throw new StorageError("full", "the project needs the room");
      if (isCopied(record.path) && !(await copyFile(to, record, count))) moved.add(record.id);
    }
    await follow(to, moved, there, count);
    const { byPath } = to.contents;
    for (const path of wanted ?? [...byPath.keys()]) {
      const id = byPath.get(path);
      if (id === undefined || there.has(path)) continue;
      await to.append({ op: "gone", id });
      damaged.delete(path);
      ends.delete(id);
    }
    await to.append({ op: "mark", ...revision, at });
    all = false;
  }

  /** In slices, between which others can use the database. Files that change in between are dirty again, so the first revision is the one to mark. */
  async function lookAt(paths: readonly Path[]): Promise<Look> {
    const first = await source.look(paths.slice(0, lookedAtOnce));
    const files = [...first.files];
    let { damage } = first;
    for (let from = lookedAtOnce; from < paths.length; from += lookedAtOnce) {
      const next = await source.look(paths.slice(from, from + lookedAtOnce));
      for (const file of next.files) files.push(file);
      damage ??= next.damage;
    }
    return { ...first, files, damage };
  }

  /**
   * Copies files that were renamed between looking them up and reading them, by their ids. Otherwise a mark would claim that a file is there that was
   * never copied under its old name.
   */
  async function follow(to: OpenLog, moved: ReadonlySet<number>, there: Set<Path>, count: Known["count"]): Promise<void> {
    for (let left = moved; left.size > 0; ) {
      const { files } = await source.look();
      const again = new Set<number>();
      for (const record of files) {
        if (!left.has(record.id) || !isCopied(record.path)) continue;
        there.add(record.path);
        if (!(await copyFile(to, record, count))) again.add(record.id);
      }
      left = again;
    }
  }

  /** Returns false if the file is no longer at this path. */
  async function copyFile(to: OpenLog, record: FileRecord, count: Known["count"]): Promise<boolean> {
    const { id, path, version } = record;
    const known = to.contents.files.get(id);
    if (known?.version === version && known.path === path) return true;
    let tail: Tail | null;
    try {
      tail = await source.tail(path, known ? { id, from: known.stable, count } : null);
    } catch (error) {
      if (!(error instanceof StorageError && error.kind === "damaged")) throw error;
      damaged.add(path);
      await carryOver(to, record);
      return true;
    }
    damaged.delete(path);
    if (!tail) return false;
    const { record: read, from, pieces, stable } = tail;
    // The path may lead to another file by now.
    const had = to.contents.files.get(read.id);
    const before = ends.get(read.id);
    const same = had && before && from === had.stable ? commonStart(before, pieces) : 0;
    const { mtime } = read;
    await to.append(
      { op: "file", id: read.id, path: read.path, mtime, version: read.version, keep: from + same, stable },
      after(pieces, same),
    );
    const end = after(pieces, stable - from);
    if (end.length > 0 && sizeOf(end) <= endBytes) ends.set(read.id, joinBytes(end));
    else ends.delete(read.id);
    return true;
  }

  /** Keeps the log's state of a file that can no longer be read, or of the file that was at its path before. */
  async function carryOver(to: OpenLog, { id, path }: FileRecord): Promise<void> {
    if (!log) return;
    const { files, byPath } = log.contents;
    const last = files.get(id) ?? files.get(byPath.get(path) ?? id);
    if (!last) return;
    const { mtime, version, stable, size } = last;
    const head = { op: "file", id: last.id, path, mtime, version, stable } as const;
    if (to !== log && !to.contents.files.has(last.id)) await to.append({ ...head, keep: 0 }, [log.content(last)]);
    if (to === log && last.path !== path) await to.append({ ...head, keep: size });
  }

  return {
    state() {
      const contents = log?.contents;
      return {
        kept: contents?.mark
          ? { generation: contents.generation, at: contents.mark.at, files: contents.files.size, bytes: contents.live }
          : null,
        trouble,
        damaged: [...damaged],
      };
    },
    current: () => log && { files: [...log.contents.files.values()], content: log.content, close: log.use() },
    async settle() {
      await working;
      await work();
    },
    async close() {
      over = true;
      if (working) await Promise.allSettled([working]);
      else log?.close();
    },
    async giveWay() {
      if (isFrozen) return false;
      const stopped = beginning;
      if (stopped) {
        yielding = true;
        await Promise.allSettled([working]);
        yielding = false;
      }
      if (!log) return stopped;
      const own = log.contents.generation;
      try {
        const place = await parts.place();
        const older = (await place.generations()).filter((generation) => generation < own);
        for (const generation of older) await place.remove(generation);
        return stopped || older.length > 0;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        trouble = error.message;
        return stopped;
      }
    },
  };
}

const isWhole = (contents: Contents | null): boolean => contents !== null && contents.mark !== null;

/** Thrown while a backup is written, and caught in `write`. */
class Differs extends Error {
  readonly difference: Difference;

  constructor(difference: Difference) {
    super(difference.message);
    this.difference = difference;
  }
}

const frozenTrouble = "it is kept as it is until you have decided what to do";

/** Files that are named in a message. */
const maxNamed = 3;

function renamedFirst(records: readonly FileRecord[], { files }: Contents): FileRecord[] {
  const isRenamed = ({ id, path }: FileRecord) => (files.get(id)?.path ?? path) !== path;
  return [...records.filter(isRenamed), ...records.filter((record) => !isRenamed(record))];
}

/** The paths, among all or the wanted ones, that are in the log but no longer in the database. */
function goesFrom({ byPath }: Contents, wanted: readonly Path[] | null, files: readonly FileRecord[]): Path[] {
  const there = new Set(files.map(({ path }) => path));
  return [...(wanted ?? byPath.keys())].filter((path) => byPath.has(path) && !there.has(path));
}

/** Whether a removal is large enough for a new generation: more than half of the bytes or of the files, unless there are only a few files. */
function isLargePart({ files, byPath, live }: Contents, paths: readonly Path[]): boolean {
  const bytes = paths.reduce((sum, path) => sum + (files.get(byPath.get(path) ?? -1)?.size ?? 0), 0);
  return files.size > 5 && (2 * paths.length > files.size || 2 * bytes > live);
}

const isMostlyGarbage = ({ contents }: OpenLog): boolean => contents.end > garbage.times * contents.live + garbage.bytes;
