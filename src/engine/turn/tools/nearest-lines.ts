export interface NearLine {
  /** The line number, from 1. */
  readonly line: number;
  readonly text: string;
}

/** How many UTF-16 units of a line are compared and shown. Limits the cost to the size of the file. */
const lineLength = 200;
const maxLines = 3;
/** Between 0 and 1. Less similar lines are unrelated. */
const minLikeness = 0.5;
/** The number of hash slots for character pairs. A power of two. */
const slots = 4096;

/**
 * The lines of `text` that are most similar to the longest line of `wanted`, best first, at most three. Similarity is Dice's coefficient: the
 * share of character pairs that two lines have in common, ignoring indentation.
 */
export function nearestLines(text: string, wanted: string): NearLine[] {
  const model = wanted
    .split("\n")
    .map((line) => line.trim().slice(0, lineLength))
    .reduce((longest, line) => (line.length > longest.length ? line : longest), "");
  if (model === "") return [];
  const likeness = likenessTo(model);
  const best: (NearLine & { readonly likeness: number })[] = [];
  for (let start = 0, line = 1; start <= text.length; line++) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const found = text
      .slice(start, Math.min(end, start + 2 * lineLength))
      .trim()
      .slice(0, lineLength);
    const score = likeness(found);
    if (score >= minLikeness && (best.length < maxLines || score > (best.at(-1)?.likeness ?? 0))) {
      best.push({ line, text: text.slice(start, Math.min(end, start + lineLength)), likeness: score });
      best.sort((a, b) => b.likeness - a.likeness || a.line - b.line);
      best.length = Math.min(best.length, maxLines);
    }
    start = end + 1;
  }
  return best.map(({ line, text: found }) => ({ line, text: found }));
}

function likenessTo(model: string): (line: string) => number {
  if (model.length < 2) return (line) => (line === model ? 1 : 0);
  const counts = new Int32Array(slots);
  for (let i = 1; i < model.length; i++) count(counts, slotOf(model, i), 1);
  const pairs = model.length - 1;
  const left = new Int32Array(slots);
  left.set(counts);
  return (line) => {
    if (line.length < 2) return 0;
    // The upper bound of the similarity for lines of these lengths.
    if ((2 * Math.min(pairs, line.length - 1)) / (pairs + line.length - 1) < minLikeness) return 0;
    let common = 0;
    for (let i = 1; i < line.length; i++) {
      const slot = slotOf(line, i);
      if ((left[slot] ?? 0) > 0) common++;
      count(left, slot, -1);
    }
    for (let i = 1; i < line.length; i++) count(left, slotOf(line, i), 1);
    return (2 * common) / (pairs + line.length - 1);
  };
}

function slotOf(text: string, i: number): number {
  return (text.charCodeAt(i - 1) * 31 + text.charCodeAt(i)) & (slots - 1);
}

function count(counts: Int32Array, slot: number, by: number): void {
  counts[slot] = (counts[slot] ?? 0) + by;
}
