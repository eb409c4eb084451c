import { joinBytes } from "./bytes.ts";
import { begunAgain, type IndexEdit, oneEntry } from "./commit-index.ts";
import type { CommitFailure, CommitOptions, CommitResult, FileContent, FileEvent, Files, FileStat } from "./files.ts";
import { fold } from "./fold.ts";
import type { CopySource } from "./copy/source.ts";
import { hasIndex, readIndex, writeIndex } from "./idb-index.ts";
import { chainEnd, type Db, lastCommit, openLayout, pathsFrom, piecesOf, readCounters, type Tx, transact } from "./idb-layout.ts";
import { toStorageError } from "./idb-transact.ts";
import { inOrder } from "./in-order.ts";
import type { KnownList } from "./known-list.ts";
import type { Path } from "./path.ts";
import { type Counters, type Edit, type Plan, type Planned, pathsOf, plan, statOf, toEdit } from "./plan.ts";
import type { FileRecord } from "./file-record.ts";
import {
  type Chain,
  minus,
  newOpening,
  noOpenings,
  parseChain,
  parseOpenings,
  plus,
  recordSum,
  type Revision,
  type RevisionStatus,
  revisionStatus,
  sumOf,
  withOpening,
} from "./revision.ts";
import { StorageError } from "./storage-error.ts";
import { watchers } from "./watchers.ts";

export interface IdbOptions {
  /** The name of the database, and of the channel on which its handles announce commits. */
  readonly name: string;
  readonly now: () => number;
  /** Called when an older program has the database open and does not give way. Opening waits until it does. */
  readonly onBlocked?: () => void;
}

export interface IdbFiles extends Files {
  /** Whether this call created the database. */
  readonly fresh: boolean;
  /**
   * Whether the database had no files. A browser whose storage was damaged silently opens an empty database, so a known project that comes up empty
   * has been lost.
   */
  readonly empty: boolean;
  /** Whether it was empty because a commit removed the last file, according to the chain. */
  readonly emptied: boolean;
  /** What was inconsistent in the database when it was opened, in words. Null if nothing was. */
  readonly damage: string | null;
  /** How a revision that another store holds related to the database when it was opened. */
  revisionStatus(of: Revision): RevisionStatus;
  /** Resolves with the reason when others have closed this handle: the database was deleted or upgraded, or the browser gave up on it. */
  readonly gone: Promise<string>;
  /** For the backup. Loaded on demand. */
  source(): Promise<CopySource>;
}

/**
 * The files of a project in IndexedDB. Any number of handles, in any number of tabs and workers, may be open on one `name`. A handle gives way at
 * once when another one wants to delete or upgrade the database. From then on its commits fail as `broken`, and everything else rejects with a
 * `StorageError`, as opening does when it fails.
 */
export async function openIdbFiles({ name, now, onBlocked }: IdbOptions): Promise<IdbFiles> {
  const own = watchers();
  let known: KnownList | null = null;
  let keeping: Promise<void> | null = null;
  const order = inOrder((events) => own.deliver(events));
  const channel = new BroadcastChannel(name);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) order.take(data.version, data.events);
  });
  /** Why this handle can no longer be used. */
  let gone: string | null = null;
  let commitsUnderWay = 0;
  const opening: OwnOpening = { id: null };

  const leave = (why: string): void => {
    gone ??= why;
    order.close();
    hangUp();
  };
  /** Other handles still learn of a commit that was in progress when this handle was closed. */
  const hangUp = (): void => {
    if (gone !== null && commitsUnderWay === 0) channel.close();
  };

  let tellGone: (why: string) => void = () => undefined;
  const goneByOthers = new Promise<string>((resolve) => {
    tellGone = resolve;
  });
  const onGone = (why: string): void => {
    leave(why);
    tellGone(why);
  };

  const {
    db,
    counters: atOpening,
    fresh,
    files: atFirst,
    state,
    damage,
  } = await openLayout(name, { onGone, ...(onBlocked ? { onBlocked } : {}) }).catch((error: unknown) => {
    channel.close();
    throw error;
  });
  order.start(atOpening.version);
  /** All files as they were found, for the first list if nothing was committed before. */
  let notListed: FileStat[] | null = atFirst.map(statOf);

  const within = async <Mode extends "readonly" | "readwrite", Value>(
    mode: Mode,
    work: (tx: Tx<Mode>) => Promise<Value>,
    more: readonly "index"[] = [],
  ): Promise<Value> => {
    if (gone !== null) throw new StorageError("closed", gone);
    try {
      return await transact(db, mode, mode === "readonly" ? "relaxed" : "strict", work, more);
    } catch (error) {
      throw toStorageError(error, name);
    }
  };
  const reading = <Value>(work: (tx: Tx<"readonly">) => Promise<Value>): Promise<Value> => within("readonly", work);

  const watch: Files["watch"] = (listener) => {
    if (gone !== null) throw new StorageError("closed", gone);
    return own.watch(listener);
  };

  async function readMany(paths: readonly Path[]): Promise<(FileContent | null)[]> {
    const found = await reading((tx) => Promise.all(paths.map((path) => readOne(tx, path))));
    return found.map((one) => {
      if (one === null) return null;
      const [first] = one.pieces;
      // Each piece that was read is a buffer of our own, so only several of them need a new one.
      const bytes = first && one.pieces.length === 1 && first.length === first.buffer.byteLength ? first : joinBytes(one.pieces);
      const { path, size } = one.record;
      if (bytes.length !== size) throw new StorageError("damaged", `${path} has ${bytes.length} bytes of ${size} in ${name}`);
      return { ...statOf(one.record), bytes };
    });
  }

  /**
   * Called after the first list, so that the start does not wait for it. If loading fails, every list is read from the database, and the next list
   * tries again.
   */
  function keepLists(): void {
    keeping ??= import("./known-list.ts").then(
      ({ knownList }) => void (known = knownList()),
      () => void (keeping = null),
    );
  }

  async function store(todo: Omit<Commit, "now" | "opening">): Promise<CommitResult> {
    if (gone !== null) return { ok: false, failure: { kind: "broken", message: gone } };
    commitsUnderWay += 1;
    try {
      const planned = await commit(db, { ...todo, now: now(), opening });
      if (!planned.ok) return planned;
      const { counters, events, names } = planned.plan;
      known?.follow(counters.version, new Map([...names].map(([path, record]) => [path, record && statOf(record)])));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none: it never leaves the origin.
      channel.postMessage({ version: counters.version, events } satisfies Message);
      order.take(counters.version, events);
      return { ok: true, version: counters.version };
    } catch (error) {
      return { ok: false, failure: toFailure(error, name) };
    } finally {
      commitsUnderWay -= 1;
      hangUp();
    }
  }

  return {
    fresh,
    empty: atFirst.length === 0,
    emptied: atFirst.length === 0 && damage === null && state.chain?.version === state.version,
    damage,
    revisionStatus: (of) => revisionStatus(of, state),
    gone: goneByOthers,
    async source() {
      const { idbCopySource } = await import("./idb-copy.ts");
      return { ...idbCopySource({ reading, writing: (work) => within("readwrite", work) }), watch };
    },
    stat: (path) =>
      reading(async (tx) => {
        const record = await tx.objectStore("names").get(path);
        return record ? statOf(record) : null;
      }),
    read: async (path) => (await readMany([path]))[0] ?? null,
    readMany,
    list: (prefix = "") =>
      reading(async (tx) => {
        const version = await lastCommit(tx);
        const there = version === null ? null : known?.at(version, prefix);
        if (there) return there;
        const kept = prefix === "" && version === atOpening.version ? notListed : null;
        const stats = kept ?? (await tx.objectStore("names").getAll(pathsFrom(prefix))).map(statOf);
        if (version === null || prefix !== "") return stats;
        notListed = null;
        known?.learn(version, stats);
        keepLists();
        return stats;
      }),
    // If the number is lost, something was stored.
    isNew: async () => (await reading(lastCommit)) === 0,
    commit: async (changes, options) => store({ edits: changes.map(toEdit), options, index: hasIndex(db) ? oneEntry(options) : null }),
    readIndex: (range = {}) => within("readonly", (tx) => readIndex(tx, range), ["index"]),
    // The index can be rebuilt from the files, so it need not be on disk before the answer.
    restartIndex: async (entries, options) =>
      store({ edits: [], options: { ...options, durability: "relaxed" }, index: begunAgain(entries) }),
    watch,
    lead: () =>
      within("readwrite", async (tx) => {
        const meta = tx.objectStore("meta");
        const counters = await readCounters(meta.get("counters"));
        const epoch = counters.epoch + 1;
        await meta.put({ ...counters, epoch }, "counters");
        return epoch;
      }),
    close() {
      db.close();
      leave(`${name} was closed`);
    },
  };
}

async function readOne(tx: Tx<"readonly">, path: Path): Promise<{ readonly record: FileRecord; readonly pieces: Uint8Array[] } | null> {
  const record = await tx.objectStore("names").get(path);
  return record ? { record, pieces: await tx.objectStore("pieces").getAll(piecesOf(record.id)) } : null;
}

/** The link of the chain that a handle's commits belong to. Null before the first commit. */
interface OwnOpening {
  id: string | null;
}

interface Commit {
  readonly edits: readonly Edit[];
  readonly options: CommitOptions;
  readonly now: number;
  readonly opening: OwnOpening;
  readonly index: IndexEdit | null;
}

function commit(db: Db, { edits, options, now, opening, index }: Commit): Promise<Planned> {
  const work = async (tx: Tx<"readwrite">, later: (request: Promise<unknown>) => void): Promise<Planned> => {
    const names = tx.objectStore("names");
    const [counters, ...found] = await Promise.all([
      readCounters(tx.objectStore("meta").get("counters")),
      ...[...pathsOf(edits, options)].map((path) => names.get(path)),
    ]);
    const records = new Map<Path, FileRecord>();
    for (const record of found) if (record) records.set(record.path, record);
    const planned = plan({ counters, records, now }, edits, options);
    if (!planned.ok) return planned;
    const chain = await advance(tx, later, { opening, counters, records, todo: planned.plan });
    if (index) writeIndex(tx, later, planned.plan.counters.version, index);
    await carryOut(tx, later, { ...planned.plan, counters: { ...planned.plan.counters, chain } });
    return planned;
  };
  return transact(db, "readwrite", options.durability, work, index ? ["index"] : []);
}

interface Advance {
  readonly opening: OwnOpening;
  /** As they were before the commit. */
  readonly counters: Counters;
  readonly records: ReadonlyMap<Path, FileRecord>;
  readonly todo: Plan;
}

/** The chain's end after this commit. A handle adds a link with its first commit, and with each commit that follows another handle's. */
async function advance(
  tx: Tx<"readwrite">,
  later: (request: Promise<unknown>) => void,
  { opening, counters, records, todo }: Advance,
): Promise<Chain> {
  const end = chainEnd(counters);
  let { files, sum } = end ?? sumOf(await tx.objectStore("names").getAll());
  let id = opening.id;
  if (id === null || end?.opening !== id) {
    const meta = tx.objectStore("meta");
    const openings = parseOpenings(await meta.get("openings")) ?? noOpenings;
    id = newOpening();
    later(meta.put(withOpening(openings, { version: counters.version, chain: parseChain(counters.chain) ?? null }, id), "openings"));
    opening.id = id;
  }
  for (const [path, record] of todo.names) {
    const before = records.get(path);
    if (before) [files, sum] = [files - 1, minus(sum, recordSum(before))];
    if (record) [files, sum] = [files + 1, plus(sum, recordSum(record))];
  }
  return { opening: id, version: todo.counters.version, files, sum };
}

async function carryOut(tx: Tx<"readwrite">, later: (request: Promise<unknown>) => void, todo: Plan): Promise<void> {
  const pieces = tx.objectStore("pieces");
  for (const id of todo.drop) later(pieces.delete(piecesOf(id)));
  for (const [id, changed] of todo.pieces) for (const [n, bytes] of changed) later(pieces.put(bytes, [id, n]));

  const records = new Map(todo.names);
  for (const record of todo.fold) {
    const tail = piecesOf(record.id, record.foldedTo);
    const [keys, values] = await Promise.all([pieces.getAllKeys(tail), pieces.getAll(tail)]);
    const folded = fold(
      record,
      values.map((bytes, at) => ({ n: keys[at]?.[1] ?? Number.NaN, bytes })),
    );
    for (const { n, bytes } of folded.put) later(pieces.put(bytes, [record.id, n]));
    for (const n of folded.drop) later(pieces.delete([record.id, n]));
    records.set(record.path, { ...record, foldedTo: folded.foldedTo });
  }

  const names = tx.objectStore("names");
  for (const [path, record] of records) later(record ? names.put(record) : names.delete(path));
  later(tx.objectStore("meta").put(todo.counters, "counters"));
}

function toFailure(error: unknown, name: string): CommitFailure {
  const known = toStorageError(error, name);
  if (!(known instanceof StorageError)) throw known;
  return { kind: known.kind === "full" ? "full" : "broken", message: known.message };
}

/** Sent to the other handles after each commit, even without events: they would wait for a missing number. */
interface Message {
  readonly version: number;
  readonly events: readonly FileEvent[];
}

/** Another tab may run another version of the program. */
function isMessage(data: unknown): data is Message {
  if (typeof data !== "object" || data === null || !("version" in data) || !("events" in data)) return false;
  return Number.isSafeInteger(data.version) && Array.isArray(data.events);
}
