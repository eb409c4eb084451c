import type { FileRecord } from "./file-record.ts";

/**
 * Where a project's database is: the opening that wrote last, and the number of the last commit. `opening` is null for a commit by a program without
 * a chain (0.8.0 and earlier).
 */
export interface Revision {
  readonly opening: string | null;
  readonly version: number;
}

/** The end of the chain, stored with the counters and replaced by each commit. */
export interface Chain {
  readonly opening: string;
  /** The commit that wrote this. A program without a chain does not update it with its own commits. */
  readonly version: number;
  /** The number of files, and the sum of their `recordSum`s. */
  readonly files: number;
  readonly sum: Sum;
}

/**
 * One link of the chain: a handle that wrote. Its id is random, so a database that was rolled back and then continued has a different id at the same
 * commit number. `to` is the opening's last commit. Null for the last opening.
 */
export interface Opening {
  readonly id: string;
  readonly after: number;
  readonly to: number | null;
}

export interface Openings {
  readonly list: readonly Opening[];
  /** Revisions outside the chain that the user has decided about. */
  readonly settled: readonly Revision[];
  /** A choice of the user is being carried out. If it was interrupted, the user is asked again. */
  readonly pending?: boolean;
}

/** Added to the settled revisions when the user has kept a database whose contents are all lost. */
export const withoutContents: Revision = { opening: "without contents", version: 0 };

/** Two independent sums modulo 2^32. */
export type Sum = readonly [number, number];

export const noOpenings: Openings = { list: [], settled: [] };

/** How many openings are kept. Whether the database has had an older revision is unknown. */
const maxOpenings = 500;
const maxSettled = 50;

/**
 * How another store's revision relates to the database.
 *
 * - `held`: the database had it, and has continued since.
 * - `settled`: it is not in the chain and the user has decided about it, or it is older than the chain's memory. The user is not asked about it, and
 *   it is not continued.
 * - `behind`: the database ends before it.
 * - `other`: it is on another branch, or belongs to another database.
 */
export type RevisionStatus = "held" | "settled" | "behind" | "other";

export function revisionStatus(of: Revision, { version, chain, openings }: ChainState): RevisionStatus {
  if (openings.settled.some((each) => each.opening === of.opening && each.version === of.version)) return "settled";
  if (of.opening === null) return of.version <= version ? "held" : "behind";
  const at = openings.list.findIndex(({ id }) => id === of.opening);
  const found = openings.list[at];
  if (!found) return openings.list.length >= maxOpenings && of.version <= (openings.list[0]?.after ?? 0) ? "settled" : "other";
  if (of.version <= (found.to ?? chain?.version ?? 0)) return "held";
  return at === openings.list.length - 1 ? "behind" : "other";
}

export interface ChainState {
  /** The last commit. */
  readonly version: number;
  /** Null: no program with a chain has made a commit yet. */
  readonly chain: Chain | null;
  readonly openings: Openings;
}

/** The openings with a new one at the end. */
export function withOpening({ list, ...rest }: Openings, { chain, version }: Omit<ChainState, "openings">, id: string): Openings {
  const ended = list.map((each, at) => (at === list.length - 1 ? { ...each, to: chain?.version ?? each.after } : each));
  return { list: [...ended, { id, after: version, to: null }].slice(-maxOpenings), ...rest };
}

export function withSettled({ list, settled }: Openings, more: readonly Revision[], pending: boolean): Openings {
  return { list, settled: [...settled, ...more].slice(-maxSettled), pending };
}

/** An id for an opening: 64 random bits. */
export function newOpening(): string {
  return [...crypto.getRandomValues(new Uint32Array(2))].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** A file's contribution to the chain's sum: everything in its record except how far it is folded. */
export function recordSum({ path, id, version, size, mtime, next }: FileRecord): Sum {
  return textSum(`${path}\0${id}\0${version}\0${size}\0${mtime}\0${next}`);
}

/** Detects damage, not forgery: fast and not cryptographic (cyrb53, keeping both halves). */
export function textSum(text: string): Sum {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a >>> 0, b >>> 0];
}

export const plus = (a: Sum, b: Sum): Sum => [(a[0] + b[0]) >>> 0, (a[1] + b[1]) >>> 0];
export const minus = (a: Sum, b: Sum): Sum => [(a[0] - b[0]) >>> 0, (a[1] - b[1]) >>> 0];

export function sumOf(records: Iterable<FileRecord>): Pick<Chain, "files" | "sum"> {
  let [files, sum]: [number, Sum] = [0, [0, 0]];
  for (const record of records) {
    files += 1;
    sum = plus(sum, recordSum(record));
  }
  return { files, sum };
}

/** What is inconsistent in a database, in words. Null if nothing is. `records` are all its files. */
export function damageOf({ version, chain, openings }: ChainState, ids: number, records: readonly FileRecord[]): string | null {
  const late = records.find((record) => record.version > version || record.id > ids);
  if (late) return `${late.path} is newer than the last commit`;
  const double = doubledId(records);
  if (double) return double;
  if (openings.pending) return "what was chosen was not carried out";
  if (chain === null) return openings.list.length === 0 ? null : "the end of the chain of commits is lost";
  if (openings.list.at(-1)?.id !== chain.opening) return "the chain of commits is broken";
  if (chain.version > version) return "the count of commits has gone back";
  // Later commits by a program without a chain may have changed anything.
  if (records.some((record) => record.version > chain.version)) return null;
  const { files, sum } = sumOf(records);
  if (files !== chain.files) return `${files} files are listed where ${chain.files} were stored`;
  return sum[0] === chain.sum[0] && sum[1] === chain.sum[1] ? null : "the list of files is not as it was stored";
}

/** Two names that lead to the same bytes, in words. */
function doubledId(records: readonly FileRecord[]): string | null {
  const paths = new Map<number, string>();
  for (const { id, path } of records) {
    const other = paths.get(id);
    if (other !== undefined) return `${other} and ${path} have the same bytes`;
    paths.set(id, path);
  }
  return null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null if there is none. Undefined if the value is invalid. */
export function parseChain(value: unknown): Chain | null | undefined {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null) return undefined;
  const { opening, version, files, sum }: Partial<Record<keyof Chain, unknown>> = value;
  if (typeof opening !== "string" || !isCount(version) || !isCount(files) || !Array.isArray(sum)) return undefined;
  const [a, b]: unknown[] = sum;
  return isCount(a) && isCount(b) ? { opening, version, files, sum: [a, b] } : undefined;
}

/** Undefined if the value is not a list of openings. */
export function parseOpenings(value: unknown): Openings | undefined {
  if (value === undefined) return noOpenings;
  if (typeof value !== "object" || value === null) return undefined;
  const { list, settled, pending }: Partial<Record<keyof Openings, unknown>> = value;
  if (!Array.isArray(list) || !Array.isArray(settled)) return undefined;
  if (!list.every(isOpening) || !settled.every(isRevision)) return undefined;
  return { list, settled, pending: pending === true };
}

function isOpening(value: unknown): value is Opening {
  if (typeof value !== "object" || value === null) return false;
  const { id, after, to }: Partial<Record<keyof Opening, unknown>> = value;
  return typeof id === "string" && isCount(after) && (to === null || isCount(to));
}

export function isRevision(value: unknown): value is Revision {
  if (typeof value !== "object" || value === null) return false;
  const { opening, version }: Partial<Record<keyof Revision, unknown>> = value;
  return (opening === null || typeof opening === "string") && isCount(version);
}
