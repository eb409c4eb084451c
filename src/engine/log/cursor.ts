import type { Position } from "./log.ts";

/** A place in a log, in the form that clients store: `<logId>_<version>_<nth>`. It is opaque to them. */
export function cursorOf(logId: string, { version, nth }: Pick<Position, "version" | "nth">): string {
  return `${logId}_${version}_${nth}`;
}

/** The number of positions up to and including the cursor's. Null: this log has no such place. */
export function countUpTo(positions: readonly Position[], logId: string, cursor: string): number | null {
  const [, id, version, nth] = /^([^_]{1,100})_(\d{1,16}(?:\.\d{1,20})?)_(\d{1,16})$/.exec(cursor) ?? [];
  if (id !== logId) return null;
  const wanted = { version: Number(version), nth: Number(nth) };
  let [from, to] = [0, positions.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = positions[middle];
    if (at === undefined || compare(at, wanted) > 0) to = middle;
    else from = middle + 1;
  }
  const last = positions[from - 1];
  return last !== undefined && compare(last, wanted) === 0 ? from : null;
}

function compare(a: Pick<Position, "version" | "nth">, b: Pick<Position, "version" | "nth">): number {
  return a.version - b.version || a.nth - b.nth;
}
