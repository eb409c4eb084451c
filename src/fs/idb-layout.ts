import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb";
import { newIndexId } from "./commit-index.ts";
import type { CommitOptions } from "./files.ts";
import { abort, reasons, toStorageError, transactOn } from "./idb-transact.ts";
import { type Counters, isCounter } from "./plan.ts";
import type { FileRecord } from "./file-record.ts";
import {
  type Chain,
  type ChainState,
  damageOf,
  noOpenings,
  parseChain,
  parseOpenings,
  revisionStatus,
  withoutContents,
} from "./revision.ts";
import { StorageError } from "./storage-error.ts";

/** A project's stored database. */
export interface Layout extends DBSchema {
  /**
   * `format` holds the format string below. A database without it is not ours, or incomplete. Every commit updates `counters`. `copy` identifies the
   * project and generation of the backup, `openings` is the chain of revisions before the end that `counters` has. `index` is the index's id.
   */
  meta: { key: "format" | "counters" | "copy" | "openings" | "index"; value: unknown };
  /** Keyed by the record's `path`. */
  names: { key: string; value: FileRecord };
  /** Keyed by file id and piece number. */
  pieces: { key: [id: number, n: number]; value: Uint8Array };
  /** Bytes, keyed by the version of the commit that stored them. Nothing else in the database depends on them. */
  index: { key: number; value: unknown };
}

export type Db = IDBPDatabase<Layout>;

const format = "vibey files 1";

type Stores = ("meta" | "names" | "pieces" | "index")[];
/** The stores that a project can't do without. */
const stores: Stores = ["meta", "names", "pieces"];

/** Brings a database from the previous layout to this one. Awaits only requests of the transaction, and passes them to `later`. */
export type LayoutStep = (
  made: Db,
  tx: IDBPTransaction<Layout, Stores, "versionchange">,
  later: (request: Promise<unknown>) => void,
) => void;

/** The n-th step creates layout n. A step that was shipped is never changed. New changes get a new step. */
export const layoutSteps: readonly LayoutStep[] = [
  (made, tx, later) => {
    made.createObjectStore("meta");
    made.createObjectStore("names", { keyPath: "path" });
    made.createObjectStore("pieces");
    const meta = tx.objectStore("meta");
    later(meta.put(format, "format"));
    later(meta.put({ version: 0, epoch: 0, ids: 0 } satisfies Counters, "counters"));
  },
  (made, tx, later) => {
    made.createObjectStore("index");
    later(tx.objectStore("meta").put(newIndexId(), "index"));
  },
];

export interface Opened {
  readonly db: Db;
  readonly counters: Counters;
  /** Whether the database was just created. */
  readonly fresh: boolean;
  readonly files: readonly FileRecord[];
  readonly state: ChainState;
  /** What is inconsistent in it, in words. Null if nothing is. */
  readonly damage: string | null;
}

export interface OpenOptions {
  /**
   * Called when others close the connection. It gives way at once when another connection wants to delete or upgrade the database, which would
   * otherwise wait forever.
   */
  readonly onGone: (why: string) => void;
  /** Called when another connection keeps an older layout open and does not give way. Opening waits until it does. */
  readonly onBlocked?: () => void;
  readonly steps?: readonly LayoutStep[];
}

/** Rejects with a `StorageError`, and leaves a database of another layout unchanged. */
export async function openLayout(name: string, { onGone, onBlocked, steps = layoutSteps }: OpenOptions): Promise<Opened> {
  let fresh = false;
  const reason = reasons();
  let existed = false;
  const open = (version: number | undefined) =>
    openDB<Layout>(name, version, {
      upgrade(made, from, _to, tx) {
        fresh = from === 0;
        existed = from > 0;
        tx.done.catch(reason.note);
        try {
          if (!fresh) checkStores(made);
          for (const step of steps.slice(from)) step(made, tx, (request) => void request.catch(reason.note));
        } catch (error) {
          reason.note(error);
          abort(tx);
        }
      },
      blocked: () => onBlocked?.(),
      blocking(_from, _to, { target }) {
        if (target instanceof IDBDatabase) target.close();
        onGone(`${name} was closed because another tab upgrades or deletes it`);
      },
      terminated: () => onGone(`${name} was closed by the browser`),
    });
  let db: Db;
  try {
    db = await open(steps.length).catch((error: unknown) => {
      reason.note(error);
      const why = toStorageError(reason.error(), name);
      // A full disk has no room for the new layout. The files can be read and deleted in the old one, which only lacks the order of events.
      if (existed && why instanceof StorageError && why.kind === "full") return open(undefined);
      throw why;
    });
  } catch (error) {
    throw toStorageError(error, name);
  }
  try {
    checkStores(db);
    const [found, looked, lastPiece] = await transact(db, "readonly", "relaxed", (tx) =>
      Promise.all([tx.objectStore("meta").get("format"), lookAtAll(tx), tx.objectStore("pieces").openKeyCursor(null, "prev")]),
    );
    if (found !== format)
      throw new StorageError(
        isNewer(found) ? "newer" : "foreign",
        `${name} has the format ${JSON.stringify(found)}, not ${JSON.stringify(format)}`,
      );
    const { counters, files, state } = looked;
    const isBare = lastPiece === null && files.some(({ size }) => size > 0) && revisionStatus(withoutContents, state) !== "settled";
    // Otherwise a commit would assign this id again, and the new file would begin with these bytes.
    const isLate = lastPiece !== null && lastPiece.key[0] > counters.ids;
    const ofContents = isLate ? "contents are newer than the last commit" : null;
    return { db, counters, fresh, files, state, damage: isBare ? "the contents of the files are lost" : (looked.damage ?? ofContents) };
  } catch (error) {
    db.close();
    throw toStorageError(error, name);
  }
}

function checkStores(db: Db): void {
  if (!stores.every((store) => db.objectStoreNames.contains(store)))
    throw new StorageError("foreign", `${db.name} holds no files of a project`);
}

/** Whether it is a format of ours that is newer than this program. */
function isNewer(found: unknown): boolean {
  return typeof found === "string" && /^vibey files \d+$/.test(found);
}

export async function readCounters(stored: Promise<unknown>): Promise<Counters> {
  const counters = await stored;
  if (!isCounters(counters)) throw new StorageError("damaged", `the counters are ${JSON.stringify(counters)}`);
  return counters;
}

/** All files, and how they relate to the chain, at one moment. */
export async function lookAtAll<Mode extends "readonly" | "readwrite">(
  tx: Tx<Mode>,
): Promise<Pick<Opened, "counters" | "files" | "state" | "damage">> {
  const meta = tx.objectStore("meta");
  const [counters, stored, files] = await Promise.all([
    readCounters(meta.get("counters")),
    meta.get("openings"),
    tx.objectStore("names").getAll(),
  ]);
  const [chain, openings] = [parseChain(counters.chain), parseOpenings(stored)];
  const state: ChainState = { version: counters.version, chain: chain ?? null, openings: openings ?? noOpenings };
  const isReadable = chain !== undefined && openings !== undefined;
  return { counters, files, state, damage: isReadable ? damageOf(state, counters.ids, files) : "the chain of commits can't be read" };
}

/** The end of the chain, if it reaches the last commit. Null if the chain must be started over. */
export function chainEnd({ version, chain }: Counters): Chain | null {
  const end = parseChain(chain);
  return end && end.version === version ? end : null;
}

/** The number of the last commit. Null if the counters are lost: only a commit has to fail then. */
export async function lastCommit(tx: Tx<"readonly">): Promise<number | null> {
  const counters = await tx.objectStore("meta").get("counters");
  return isCounters(counters) ? counters.version : null;
}

function isCounters(value: unknown): value is Counters {
  if (typeof value !== "object" || value === null) return false;
  return ["version", "epoch", "ids"].every((key) => isCounter(Reflect.get(value, key)));
}

/** Every stored piece of a file from number `from` on. */
export function piecesOf(id: number, from = 0): IDBKeyRange {
  return IDBKeyRange.bound([id, from], [id, Number.POSITIVE_INFINITY]);
}

/** Every path that starts with `prefix`. */
export function pathsFrom(prefix: string): IDBKeyRange | null {
  if (prefix === "") return null;
  const last = prefix.charCodeAt(prefix.length - 1);
  // No character follows U+FFFF, so the text before it determines where the range ends.
  const end = last === 0xffff ? pathsFrom(prefix.slice(0, -1))?.upper : prefix.slice(0, -1) + String.fromCharCode(last + 1);
  return end === undefined ? IDBKeyRange.lowerBound(prefix) : IDBKeyRange.bound(prefix, end, false, true);
}

export type Tx<Mode extends IDBTransactionMode> = IDBPTransaction<Layout, Stores, Mode>;

/**
 * `transactOn` over the stores that a project can't do without, and over its index if `more` names it. Other work doesn't wait for the index and
 * doesn't fail if the index is lost.
 */
export function transact<Mode extends "readonly" | "readwrite", Value>(
  db: Db,
  mode: Mode,
  durability: CommitOptions["durability"],
  work: (tx: Tx<Mode>, later: (request: Promise<unknown>) => void) => Promise<Value>,
  more: readonly "index"[] = [],
): Promise<Value> {
  return transactOn(db, [...stores, ...more], mode, durability, work);
}
