import type { Change, CommitFailure, CommitIndex, Files, IndexRange } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import type { Progress } from "../progress.ts";
import type { Commits } from "./commits.ts";
import { decodeEntry, encodeEntry, type Entry } from "./entry.ts";
import type { News } from "./new-events.ts";

/** The position in the log of a dialog's event, or of a commit of the history. */
export type Position = EventPosition | CommitPosition;

interface LogPosition {
  /** The version of the store's commit that contains it, and its number among the events of that commit. */
  readonly version: number;
  readonly nth: number;
  /** The order was derived from the times in the texts. */
  readonly rebuilt: boolean;
}

export interface EventPosition extends LogPosition {
  readonly dialogId: string;
  readonly generation: number;
  readonly key: string;
}

export interface CommitPosition extends LogPosition {
  /** The commit's number in the history. */
  readonly commit: number;
}

/** The order in which the events of a project happened. The events themselves are in the dialogs' files and in the history. */
export interface OpenLog {
  readonly logId: string;
  /** In order. Positions are only added at the end. */
  readonly positions: readonly Position[];
  /** Aborted if the log turns out to lack an event. Another log then replaces it. */
  readonly ended: AbortSignal;
  /** Calls `listener` after positions were added. Returns a function that stops it. */
  watch(listener: () => void): () => void;
}

/** The log's interface for the store of dialogs. No call throws: if the log fails, the order is lost, never a commit. */
export interface LogWriter {
  /** The index entry of a commit with these events. Undefined: there is none, or the index has to be rebuilt first. */
  entry(news: readonly News[]): Uint8Array | undefined;
  /** The events in dialog files that these changes write as a whole. */
  newsOf(changes: readonly Change[]): Promise<readonly News[]>;
  /** A commit with these events is stored. */
  written(version: number, news: readonly News[]): void;
  /** A commit was stored without its entry: the index is rebuilt on next use. `mistake`: one of ours, which is reported. */
  lacks(mistake?: unknown): void;
}

export interface Log extends LogWriter {
  /** Reads the index on the first call. Rebuilds the index if it lacks events of the dialogs, and reports that to `progress`. */
  open(progress?: Progress): Promise<OpenLog>;
}

/** The code that reads dialogs is loaded on demand, so that docs can be edited before. */
export interface LogDeps {
  readonly files: Files;
  readonly epoch: number;
  /** The commits of the project's history. Null: the project has no history, or it can't be opened now. */
  readonly commits: () => Promise<Commits | null>;
  /** The index has an entry for every event of the dialogs: it was maintained since the project was new, or since the last rebuild. */
  readonly isKept: boolean;
  /** Runs `work` while no commit takes place. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

/** The index. Null: it is damaged, so only the order of events is lost. */
export async function readIndex(files: Files, range?: IndexRange): Promise<CommitIndex | null> {
  try {
    return await files.readIndex(range);
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}

const writesDialog = (change: Change): boolean => change.op === "write" && parseDialogFilename(nameOf(change.path) ?? "") !== null;

export function createLog({ files, epoch, commits, isKept, alone, later, report }: LogDeps): Log {
  let kept = isKept;
  /** The number of commits whose events are unknown. */
  let lacking = 0;
  /** What was written while the index is being read. Null: it isn't being read. */
  let meanwhile: { version: number; news: readonly News[] }[] | null = null;
  let opening: Promise<OpenLog> | null = null;
  let opened: GrowingLog | null = null;
  /** The last load. The next one waits for it. */
  let loading: Promise<unknown> = Promise.resolve();
  let telling = false;
  /** Progress listeners of the callers that wait for the log. */
  const waiting = new Set<Progress>();

  function load(): Promise<OpenLog> {
    const mine: Promise<OpenLog> = loading.then(async () => {
      meanwhile = [];
      try {
        const { log, isWhole } = await read();
        // An event that was missed during the read is missing here too.
        if (!isWhole) {
          log.end();
          return log;
        }
        opened?.end();
        opened = log;
        opening ??= mine;
        return log;
      } finally {
        meanwhile = null;
      }
    });
    loading = mine.catch(() => {
      if (opening === mine) opening = null;
    });
    return mine;
  }

  async function read(): Promise<{ readonly log: GrowingLog; readonly isWhole: boolean }> {
    let lackingBefore = lacking;
    const history = await commits();
    let index = await readEntries(files);
    // Requested after the index was read: a commit that is made in between is no sign of a loss.
    const newest = history && (await newestOf(history));
    // A history that has lost commits is a different history.
    if (!kept || index === null || (newest !== null && index.commits > newest)) {
      lackingBefore = await build(newest === null ? null : history);
      index = await readEntries(files);
      if (index === null) throw new StorageError("damaged", "the order of events can't be read after it was stored");
    }
    if (history !== null && newest !== null) await catchUp(history, index.commits);
    const log = growingLog(index.id);
    for (const { version, news, rebuilt } of index.entries) log.add(version, news, rebuilt);
    const last = index.entries.at(-1)?.version ?? 0;
    for (const { version, news } of meanwhile ?? []) if (version > last) log.add(version, news, false);
    return { log, isWhole: lacking === lackingBefore };
  }

  /** Returns the value of `lacking` at which the index was complete. */
  async function build(history: Commits | null): Promise<number> {
    const { rebuild } = await import("./rebuild.ts");
    for (;;) {
      const lackingBefore = lacking;
      const entries = await rebuild(files, history, (done, total) => waiting.forEach((progress) => progress(done, total)));
      const isWhole = await alone(async () => {
        // The texts that were read may lack its events.
        if (lacking !== lackingBefore) return false;
        const missed = (meanwhile ?? []).map(({ news }) => encodeEntry({ news, rebuilt: false }));
        const restarted = await files.restartIndex([...entries, ...missed], { epoch });
        if (!restarted.ok) throw notStored(restarted.failure);
        meanwhile = [];
        kept = true;
        return true;
      });
      if (isWhole) return lackingBefore;
    }
  }

  /**
   * Adds the commits that the index lacks: they were made while it could not be written, while it was rebuilt, or right before an earlier engine
   * ended. If that fails, they are added later.
   */
  async function catchUp(history: Commits, noted: number): Promise<void> {
    await alone(async () => {
      const newest = await newestOf(history);
      const last = (meanwhile ?? []).reduce((most, { news }) => Math.max(most, lastCommitIn(news)), noted);
      if (!kept || newest === null || newest <= last) return;
      const news: News[] = [{ commits: newest }];
      const stored = await files.commit([], { durability: "relaxed", epoch, index: encodeEntry({ news, rebuilt: false }) });
      if (stored.ok) meanwhile?.push({ version: stored.version, news });
    });
  }

  function lacks(mistake?: unknown): void {
    if (mistake !== undefined) report(mistake);
    lacking += 1;
    if (!kept) return;
    kept = false;
    opened?.end();
    opened = null;
    opening = null;
    later(() => void alone(forget).catch(report), 0);
  }

  /** Removes all entries, so that the next engine also knows that the index must be rebuilt. Does nothing if that has happened by now. */
  async function forget(): Promise<void> {
    if (kept) return;
    const restarted = await files.restartIndex([], { epoch });
    if (!restarted.ok) report(new Error(`the order of events could not be forgotten: ${restarted.failure.kind}`));
  }

  return {
    lacks,
    entry(news) {
      if (!kept || news.length === 0) return undefined;
      try {
        return encodeEntry({ news, rebuilt: false });
      } catch (error) {
        lacks(error);
        return undefined;
      }
    },
    async newsOf(changes) {
      if (!changes.some(writesDialog)) return [];
      try {
        const { newsOfFiles } = await import("./written-files.ts");
        return await newsOfFiles(changes, files);
      } catch (error) {
        lacks(error);
        return [];
      }
    },
    written(version, news) {
      if (news.length === 0) return;
      meanwhile?.push({ version, news });
      if (opened === null) return;
      opened.add(version, news, false);
      if (telling) return;
      telling = true;
      // Notify followers later: the code that made this commit hasn't updated its own state yet.
      later(() => {
        telling = false;
        opened?.tell();
      }, 0);
    },
    async open(progress) {
      opening ??= load();
      if (progress) waiting.add(progress);
      try {
        return await opening;
      } finally {
        if (progress) waiting.delete(progress);
      }
    },
  };
}

interface GrowingLog extends OpenLog {
  add(version: number, news: readonly News[], rebuilt: boolean): void;
  tell(): void;
  end(): void;
}

function growingLog(logId: string): GrowingLog {
  const positions: Position[] = [];
  /** Ids of the events in `positions`. */
  const known = new Set<string>();
  let lastCommit = 0;
  const listeners = new Set<() => void>();
  const ended = new AbortController();
  return {
    logId,
    positions,
    ended: ended.signal,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(version, news, rebuilt) {
      let nth = 0;
      for (const one of news) {
        if ("commits" in one) {
          const first = lastCommit + 1;
          // Even if the history can't be read, so that cursors stay valid.
          for (let commit = first; commit <= one.commits; commit += 1)
            positions.push({ version, nth: nth + commit - first, commit, rebuilt });
          lastCommit = Math.max(lastCommit, one.commits);
          nth += lastCommit - first + 1;
          continue;
        }
        const { dialogId, generation, keys } = one;
        for (const key of keys) {
          const id = `${dialogId}/${generation}/${key}`;
          if (known.has(id)) continue;
          known.add(id);
          positions.push({ version, nth, dialogId, generation, key, rebuilt });
          nth += 1;
        }
      }
    },
    tell() {
      for (const listener of listeners) listener();
    },
    end: () => ended.abort(),
  };
}

interface ReadEntries {
  readonly id: string;
  readonly entries: readonly (Entry & { readonly version: number })[];
  /** The number of the last commit of the history in the entries. */
  readonly commits: number;
}

async function readEntries(files: Files): Promise<ReadEntries | null> {
  const index = await readIndex(files);
  if (index === null) return null;
  const entries = index.entries.map(({ version, bytes }) => ({ version, ...decodeEntry(bytes) }));
  return { id: index.id, entries, commits: entries.reduce((most, { news }) => Math.max(most, lastCommitIn(news)), 0) };
}

/** The number of the last commit of the history in the news. 0: there is none. */
function lastCommitIn(news: readonly News[]): number {
  return news.reduce((most, one) => ("commits" in one ? Math.max(most, one.commits) : most), 0);
}

function notStored({ kind }: CommitFailure): StorageError {
  return new StorageError(kind === "full" ? "full" : "broken", `the order of events can't be stored (${kind})`);
}

/** Null: the history is damaged. The log then lacks only its commits. */
async function newestOf(commits: Commits): Promise<number | null> {
  try {
    return await commits.newest();
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}
