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
  /** The order was made from the times in the texts. */
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
  /** Aborted when the log turns out to lack an event. Another log then replaces it. */
  readonly ended: AbortSignal;
  /** Calls `listener` after positions were added; returns the way to stop. */
  watch(listener: () => void): () => void;
}

/** What the store of dialogs tells the log, and asks of it. None of it throws: a log that fails costs the order, never a commit. */
export interface LogWriter {
  /** The index entry of a commit with these events; undefined: it has none, or the index is to be built again first. */
  entry(news: readonly News[]): Uint8Array | undefined;
  /** The events that come with dialog files that changes write whole. */
  newsOf(changes: readonly Change[]): Promise<readonly News[]>;
  /** A commit with these events is stored. */
  written(version: number, news: readonly News[]): void;
  /** A commit was stored without its entry: the index is built again when it is next asked for. `mistake`: one of ours, which is reported. */
  lacks(mistake?: unknown): void;
}

export interface Log extends LogWriter {
  /** Reads the index, the first time; builds it again where it lacks what the dialogs say, which `progress` is told. */
  open(progress?: Progress): Promise<OpenLog>;
}

/** The code that reads dialogs is loaded when it is needed, so docs can be edited before that. */
export interface LogDeps {
  readonly files: Files;
  readonly epoch: number;
  /** The commits of the project's history; null: it keeps none, or it can't be opened now. */
  readonly commits: () => Promise<Commits | null>;
  /** The index has an entry for all that the dialogs say: it was kept since the project was new, or since it was built again. */
  readonly isKept: boolean;
  /** Runs `work` while nothing is committed. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

/** The index; null: it is damaged, which costs the order of events and nothing else. */
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
  /** Commits whose events are not known. */
  let lacking = 0;
  /** What was written while the index is being read; null: it isn't being read. */
  let meanwhile: { version: number; news: readonly News[] }[] | null = null;
  let opening: Promise<OpenLog> | null = null;
  let opened: GrowingLog | null = null;
  /** The last load, which the next one waits for. */
  let loading: Promise<unknown> = Promise.resolve();
  let telling = false;
  /** Progress listeners of the callers that wait for the log. */
  const waiting = new Set<Progress>();

  function load(): Promise<OpenLog> {
    const mine: Promise<OpenLog> = loading.then(async () => {
      meanwhile = [];
      try {
        const { log, isWhole } = await read();
        // An event that was missed while this was read is missing here, too.
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
    // Asked after the index was read: a commit that is noted meanwhile is no sign of a loss.
    const newest = history && (await newestOf(history));
    // A history that has lost commits is another one.
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

  /** Answers with what `lacking` was when the index was whole. */
  async function build(history: Commits | null): Promise<number> {
    const { rebuild } = await import("./rebuild.ts");
    for (;;) {
      const lackingBefore = lacking;
      const entries = await rebuild(files, history, (done, total) => waiting.forEach((progress) => progress(done, total)));
      const isWhole = await alone(async () => {
        // The texts that were read may not have its events.
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
   * Notes the commits that the index doesn't have: they were made while it could not be written, while it was built, or right before an
   * earlier engine ended. If they still can't be noted, they come later.
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

  /** Without entries, the next engine knows, too, that they are to be made again. By now they may have been. */
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
      // The one that committed it has not taken note of it yet.
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
          // Also while the history can't be read, so that cursors hold.
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
  /** The number of the last commit of the history that they have. */
  readonly commits: number;
}

async function readEntries(files: Files): Promise<ReadEntries | null> {
  const index = await readIndex(files);
  if (index === null) return null;
  const entries = index.entries.map(({ version, bytes }) => ({ version, ...decodeEntry(bytes) }));
  return { id: index.id, entries, commits: entries.reduce((most, { news }) => Math.max(most, lastCommitIn(news)), 0) };
}

/** The number of the last commit of the history that it has; 0: it has none. */
function lastCommitIn(news: readonly News[]): number {
  return news.reduce((most, one) => ("commits" in one ? Math.max(most, one.commits) : most), 0);
}

function notStored({ kind }: CommitFailure): StorageError {
  return new StorageError(kind === "full" ? "full" : "broken", `the order of events can't be stored (${kind})`);
}

/** null: the history is damaged. The log then lacks its commits and nothing else. */
async function newestOf(commits: Commits): Promise<number | null> {
  try {
    return await commits.newest();
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}
