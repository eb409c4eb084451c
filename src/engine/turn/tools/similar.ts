/** The maximum number of character pairs to compare, because the comparison blocks the engine. */
const most = 3_000_000;

/**
 * The path that a person most likely meant: the same name elsewhere, a path that starts with this one, or one that is spelled almost the same.
 * Null if none is close.
 */
export function mostSimilar(path: string, all: readonly string[]): string | null {
  const wanted = path.toLowerCase();
  const name = lastStep(wanted);
  const same = all.find((one) => one.toLowerCase() === wanted) ?? all.find((one) => lastStep(one.toLowerCase()) === name);
  if (same !== undefined) return same;
  const longer =
    name === "" ? undefined : all.find((one) => one.toLowerCase().startsWith(wanted) || lastStep(one.toLowerCase()).startsWith(name));
  if (longer !== undefined) return longer;
  let best: { readonly path: string; readonly edits: number } | null = null;
  let left = most;
  for (const one of all) {
    const known = one.toLowerCase();
    left -= known.length * wanted.length;
    if (left < 0) break;
    const edits = Math.min(distance(known, wanted), distance(lastStep(known), name));
    if (best === null || edits < best.edits) best = { path: one, edits };
  }
  return best !== null && best.edits <= Math.max(2, Math.floor(name.length / 4)) ? best.path : null;
}

const lastStep = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The Levenshtein distance. Infinite for long texts and for texts that differ much in length. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 20 || other.length > 200) return Infinity;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
