import { type Actor, vibey } from "../../fs/actor.ts";
import type { Change, CommitFailure, CommitOptions, CommitResult, Files } from "../../fs/files.ts";
import type { Path } from "../../fs/path.ts";
import type { EditOp } from "../../dialog/edit.ts";
import type { LogWriter } from "../log/log.ts";
import type { News } from "../log/new-events.ts";

/** A dialog's file as the store tracks it. Only the store changes `version` and `buffered`. */
export interface Tracked {
  path: Path;
  version: number;
  /** Streamed text that is not on disk yet. */
  buffered: EditOp[];
  /** The events that belong to it. */
  news: News[];
  /** Called if buffered text could not be stored. The file doesn't contain that text. */
  lost(failure: CommitFailure): void;
}

/** What is committed together with a dialog's own operations. */
export interface Extra {
  readonly changes: readonly Change[];
  readonly expect: NonNullable<CommitOptions["expect"]>;
}

export interface DialogStore {
  /** Buffers streamed text. It is on disk after at most `flushMs`, together with that of all other dialogs. */
  buffer(entry: Tracked, ops: readonly EditOp[], news: readonly News[]): void;
  /** Writes the dialog's buffered text, then `ops`, a new name if there is one, and `extra`, in one transaction. */
  commit(entry: Tracked, ops: readonly EditOp[], options: StoreOptions): Promise<CommitResult>;
  /** Replaces the whole file, with a new name if there is one, together with `extra`. The new file includes the buffered text. */
  rewrite(entry: Tracked, change: Change, options: StoreOptions): Promise<CommitResult>;
  /** Discards the buffered text of a dialog whose file is read again. */
  drop(entry: Tracked): void;
  /** Writes all buffered text. */
  flush(): Promise<void>;
  /** Any other commit of the engine. It is serialized with the others and carries the epoch. */
  other(changes: readonly Change[], options: Omit<CommitOptions, "epoch" | "index">): Promise<CommitResult>;
  /** Records in the order of events that the history has all commits up to this number. If that can't be stored now, a later call records it. */
  noteCommits(number: number): Promise<void>;
  /** The events of a commit are unknown. */
  lacksNews(why: unknown): void;
  /** Runs `work` between two commits. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface StoreOptions {
  readonly durability: CommitOptions["durability"];
  readonly rename?: Path;
  readonly extra?: Extra;
  /** Joins the file's pieces, at the end of a turn. */
  readonly fold?: boolean;
  /** The events of the operations. */
  readonly news?: readonly News[];
  readonly by: Actor;
}

export interface StoreDeps {
  readonly files: Files;
  readonly epoch: number;
  readonly flushMs: number;
  readonly log: LogWriter;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
  readonly report: (error: unknown) => void;
}

export function dialogStore({ files, epoch, flushMs, log, later, report }: StoreDeps): DialogStore {
  const waiting = new Set<Tracked>();
  let timer = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs one commit at a time, so that each commit expects the versions that the previous one left. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  /**
   * Commits changes together with the log entry of their events, in one transaction. A commit should never throw. If it does, it is handled like
   * any failed commit, so that no text is lost.
   */
  async function commitFiles(changes: readonly Change[], options: CommitOptions, news: readonly News[]): Promise<CommitResult> {
    const index = log.entry(news);
    let result = await tryCommit(changes, index ? { ...options, index } : options);
    if (index && !result.ok && result.failure.kind === "broken") {
      // Nothing was stored. A problem with the order of events must not prevent the changes themselves.
      result = await tryCommit(changes, options);
      if (result.ok) log.lacks();
    }
    if (result.ok) log.written(result.version, news);
    return result;
  }

  async function tryCommit(changes: readonly Change[], options: CommitOptions): Promise<CommitResult> {
    try {
      return await files.commit(changes, options);
    } catch (error) {
      report(error);
      return { ok: false, failure: { kind: "broken", message: String(error) } };
    }
  }

  async function commitNow(
    entry: Tracked,
    own: (buffered: readonly EditOp[]) => readonly Change[],
    options: StoreOptions,
  ): Promise<CommitResult> {
    const born = await log.newsOf(options.extra?.changes ?? []);
    const { buffered, news } = entry;
    entry.buffered = [];
    entry.news = [];
    waiting.delete(entry);
    const changes = [...own(buffered)];
    const touched = changes.length > 0 || options.rename !== undefined;
    const path = options.rename ?? entry.path;
    if (options.rename) changes.push({ op: "rename", from: entry.path, to: options.rename });
    // Not spread into the call: a command may change more files than a call can have arguments.
    for (const change of options.extra?.changes ?? []) changes.push(change);
    if (options.fold) changes.push({ op: "fold", path });
    if (changes.length === 0) return { ok: true, version: entry.version };
    const result = await commitFiles(
      changes,
      {
        durability: options.durability,
        expect: [{ path: entry.path, version: entry.version }, ...(options.extra?.expect ?? [])],
        epoch,
        by: options.by,
      },
      [...news, ...(options.news ?? []), ...born],
    );
    if (result.ok) {
      if (touched) entry.version = result.version;
      entry.path = path;
    } else {
      entry.buffered = [...buffered, ...entry.buffered];
      entry.news = [...news, ...entry.news];
      if (entry.buffered.length > 0) waiting.add(entry);
    }
    return result;
  }

  async function flushNow(): Promise<void> {
    const entries = [...waiting];
    waiting.clear();
    if (entries.length === 0) return;
    const taken = entries.map((entry) => ({ entry, ops: entry.buffered, news: entry.news }));
    for (const { entry } of taken) {
      entry.buffered = [];
      entry.news = [];
    }
    // Several dialogs may be included, so the author isn't one agent: Vibey writes streamed text.
    const result = await commitFiles(
      taken.flatMap(({ entry, ops }) => toChanges(entry.path, ops)),
      { durability: "relaxed", expect: entries.map(({ path, version }) => ({ path, version })), epoch, by: vibey },
      taken.flatMap(({ news }) => news),
    );
    if (result.ok) {
      for (const { entry } of taken) entry.version = result.version;
      return;
    }
    // If one file was changed by someone else, the other dialogs must not lose their text.
    for (const { entry, ops, news } of taken) {
      const alone =
        taken.length === 1
          ? result
          : await commitFiles(
              toChanges(entry.path, ops),
              { durability: "relaxed", expect: [{ path: entry.path, version: entry.version }], epoch, by: vibey },
              news,
            );
      if (alone.ok) entry.version = alone.version;
      else entry.lost(alone.failure);
    }
  }

  return {
    buffer(entry, ops, news) {
      if (ops.length === 0) return;
      entry.buffered.push(...ops);
      entry.news.push(...news);
      waiting.add(entry);
      if (timer) return;
      timer = true;
      later(() => {
        timer = false;
        inTurn(flushNow).catch(report);
      }, flushMs);
    },
    drop(entry) {
      entry.buffered = [];
      entry.news = [];
      waiting.delete(entry);
    },
    commit: (entry, ops, options) => inTurn(() => commitNow(entry, (buffered) => toChanges(entry.path, [...buffered, ...ops]), options)),
    rewrite: (entry, change, options) => inTurn(() => commitNow(entry, () => [change], options)),
    flush: () => inTurn(flushNow),
    other(changes, options) {
      // Read the events while the earlier commits are made.
      const news = log.newsOf(changes);
      return inTurn(async () => commitFiles(changes, { ...options, epoch }, await news));
    },
    noteCommits: (number) =>
      inTurn(async () => {
        const news = [{ commits: number }];
        const index = log.entry(news);
        if (!index) return;
        const result = await tryCommit([], { durability: "relaxed", epoch, index });
        if (result.ok) log.written(result.version, news);
      }),
    lacksNews: (why) => log.lacks(why),
    alone: inTurn,
  };
}

/** Joins adjacent appends, so that a token needs a record of its own only if it is alone in its batch. */
function toChanges(path: Path, ops: readonly EditOp[]): Change[] {
  const changes: Change[] = [];
  let text: string[] = [];
  const flushText = () => {
    if (text.length > 0) changes.push({ op: "append", path, data: text.join("") });
    text = [];
  };
  for (const op of ops) {
    if (op.op === "append" && op.open === undefined) {
      text.push(op.text);
      continue;
    }
    flushText();
    changes.push(
      op.op === "append"
        ? { op: "append", path, data: op.text, ...(op.open === undefined ? {} : { open: op.open }) }
        : { op: "patch", path, label: op.label, data: op.text, ...(op.close ? { close: true } : {}) },
    );
  }
  flushText();
  return changes;
}
