import { vibey } from "./actor.ts";
import { toBytes } from "./bytes.ts";
import type { Change, CommitFailure, CommitOptions, FileEvent, FileStat, Piece } from "./files.ts";
import type { Path } from "./path.ts";
import type { Chain } from "./revision.ts";
import type { FileRecord } from "./file-record.ts";

export function statOf({ path, size, mtime, version }: FileRecord): FileStat {
  return { path, size, mtime, version };
}

/** The counters of a project: the last commit's number, the last epoch, the last file id. */
export interface Counters {
  readonly version: number;
  readonly epoch: number;
  readonly ids: number;
  /** Unchecked: `parseChain` reads it. A program without a chain passes it on unchanged. */
  readonly chain?: Chain | undefined;
}

/** A larger counter is damaged. Counting on from the largest integers would give a number twice, or one that can't be read. */
const mostCounted = 1e14;

export function isCounter(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= mostCounted;
}

/** A commit in the form that the storage carries out, in this order. */
export interface Plan {
  readonly counters: Counters;
  /** Ids whose stored pieces are all deleted. Some may have none. */
  readonly drop: readonly number[];
  /** By id, then by piece number. */
  readonly pieces: ReadonlyMap<number, ReadonlyMap<number, Uint8Array>>;
  /** Files to fold, as they are after the rest of the commit. Folding changes no byte, so it may come last, whatever the order of the changes. */
  readonly fold: readonly FileRecord[];
  /** The names touched: their new record, or null if the file is gone. */
  readonly names: ReadonlyMap<Path, FileRecord | null>;
  readonly events: readonly FileEvent[];
}

/** A change with its data as bytes. Made before a transaction is opened. */
export type Edit =
  | { readonly op: "write"; readonly path: Path; readonly pieces: readonly BytePiece[]; readonly mtime: number | undefined }
  | { readonly op: "append"; readonly path: Path; readonly piece: BytePiece }
  | { readonly op: "patch"; readonly path: Path; readonly label: string; readonly bytes: Uint8Array; readonly close: boolean }
  | { readonly op: "rename"; readonly from: Path; readonly to: Path }
  | { readonly op: "remove"; readonly path: Path }
  | { readonly op: "fold"; readonly path: Path };

interface BytePiece {
  readonly bytes: Uint8Array;
  /** The label under which it stays open. Null for a closed piece. */
  readonly open: string | null;
}

export function toEdit(change: Change): Edit {
  if (change.op === "write") {
    const { path, data, mtime } = change;
    const pieces = typeof data === "string" || data instanceof Uint8Array ? [toPiece({ data })] : data.map(toPiece);
    return { op: "write", path, pieces, mtime };
  }
  if (change.op === "append") return { op: "append", path: change.path, piece: toPiece(change) };
  if (change.op === "patch") {
    return { op: "patch", path: change.path, label: change.label, bytes: toBytes(change.data), close: change.close === true };
  }
  return { ...change };
}

function toPiece(piece: Piece): BytePiece {
  return { bytes: toBytes(piece.data), open: piece.open ?? null };
}

/** Every path whose record `plan` needs. */
export function pathsOf(edits: readonly Edit[], options: CommitOptions): Set<Path> {
  const paths = new Set<Path>();
  for (const { path } of options.expect ?? []) paths.add(path);
  for (const edit of edits) {
    if (edit.op === "rename") paths.add(edit.from).add(edit.to);
    else paths.add(edit.path);
  }
  return paths;
}

export interface Before {
  readonly counters: Counters;
  /** The existing records of all `pathsOf` the commit. */
  readonly records: ReadonlyMap<Path, FileRecord>;
  readonly now: number;
}

export type Planned = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly failure: CommitFailure };

/** Decides a whole commit without touching the storage. The rules of `Change` and `CommitOptions` are implemented only here. */
export function plan(before: Before, edits: readonly Edit[], options: CommitOptions): Planned {
  const { counters, records } = before;
  // An epoch from the future was assigned by a database that has since been replaced.
  if (options.epoch !== undefined && options.epoch !== counters.epoch) {
    return { ok: false, failure: { kind: "fenced", epoch: counters.epoch } };
  }
  for (const { path, version: expected } of options.expect ?? []) {
    const found = records.get(path)?.version ?? null;
    if (found !== expected) return { ok: false, failure: { kind: "conflict", path, expected, found } };
  }

  const version = counters.version + 1;
  const by = options.by ?? vibey;
  const names = new Map<Path, FileRecord | null>();
  const pieces = new Map<number, Map<number, Uint8Array>>();
  const drop: number[] = [];
  const toFold = new Set<number>();
  const events: FileEvent[] = [];
  let ids = counters.ids;

  const find = (path: Path): FileRecord | null => {
    const touched = names.get(path);
    return touched === undefined ? (records.get(path) ?? null) : touched;
  };
  const put = (id: number, n: number, bytes: Uint8Array): void => {
    const own = pieces.get(id);
    if (own) own.set(n, bytes);
    else pieces.set(id, new Map([[n, bytes]]));
  };
  const dropContent = (id: number): void => {
    pieces.delete(id);
    drop.push(id);
  };
  const changed = (record: FileRecord, mtime = before.now): void => {
    names.set(record.path, { ...record, version, mtime: Math.min(mtime, before.now) });
    const last = events.at(-1);
    if (last?.kind !== "changed" || last.path !== record.path) events.push({ kind: "changed", path: record.path, version, by });
  };
  /** The record with one more piece. A failure if the label is already open. */
  const grow = (record: FileRecord, piece: BytePiece): FileRecord | CommitFailure => {
    const { bytes, open: label } = piece;
    const n = record.next;
    if (label === null) {
      if (bytes.length === 0) return record;
      put(record.id, n, bytes);
      return { ...record, size: record.size + bytes.length, next: n + 1 };
    }
    if (record.open.some((open) => open.label === label)) return { kind: "piece", path: record.path, label };
    put(record.id, n, bytes);
    const open = [...record.open, { label, n, size: bytes.length }];
    return { ...record, size: record.size + bytes.length, next: n + 1, open };
  };

  const apply = (edit: Edit): CommitFailure | null => {
    if (edit.op === "write") {
      const old = find(edit.path);
      if (old) dropContent(old.id);
      ids += 1;
      let record: FileRecord = { path: edit.path, size: 0, mtime: 0, version: 0, id: ids, next: 0, foldedTo: 0, open: [] };
      for (const piece of edit.pieces) {
        const grown = grow(record, piece);
        if ("kind" in grown) return grown;
        record = grown;
      }
      changed(record, edit.mtime);
      return null;
    }
    const path = edit.op === "rename" ? edit.from : edit.path;
    const record = find(path);
    if (!record) return { kind: "missing", path };
    if (edit.op === "append") {
      const grown = grow(record, edit.piece);
      if ("kind" in grown) return grown;
      changed(grown);
      return null;
    }
    if (edit.op === "patch") {
      const { label, bytes } = edit;
      const piece = record.open.find((open) => open.label === label);
      if (!piece) return { kind: "piece", path, label };
      put(record.id, piece.n, bytes);
      const open = edit.close
        ? record.open.filter((other) => other !== piece)
        : record.open.map((other) => (other === piece ? { ...piece, size: bytes.length } : other));
      changed({ ...record, size: record.size - piece.size + bytes.length, open });
      return null;
    }
    if (edit.op === "rename") {
      if (find(edit.to)) return { kind: "exists", path: edit.to };
      names.set(edit.from, null);
      names.set(edit.to, { ...record, path: edit.to, version });
      events.push({ kind: "renamed", from: edit.from, to: edit.to, version, by });
      return null;
    }
    if (edit.op === "remove") {
      dropContent(record.id);
      names.set(path, null);
      events.push({ kind: "removed", path, by });
      return null;
    }
    edit satisfies { op: "fold" };
    toFold.add(record.id);
    return null;
  };

  for (const edit of edits) {
    const failure = apply(edit);
    if (failure) return { ok: false, failure };
  }
  // Once stored, they could not be read again.
  if (!isCounter(version) || !isCounter(ids))
    return { ok: false, failure: { kind: "broken", message: "the counters of the project are damaged" } };
  const fold: FileRecord[] = [];
  for (const path of new Set([...records.keys(), ...names.keys()])) {
    const record = find(path);
    if (record && toFold.has(record.id)) fold.push(record);
  }
  return { ok: true, plan: { counters: { ...counters, version, ids }, drop, pieces, fold, names, events } };
}
