/** One side of a comparison. Each call does its work once. */
export type Side = () => unknown;

/** Keeps the last return value, so that the engine can't optimize the work away. */
const kept: { last: unknown } = { last: null };

/** Milliseconds of the fastest of `times` runs, the least disturbed one. */
async function fastest(side: Side, times: number): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < times; run += 1) {
    const started = performance.now();
    kept.last = await side();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}

export interface RatioOptions {
  readonly rounds?: number;
  /** Runs of each side in a round. */
  readonly times?: number;
}

/**
 * How many times as long `candidate` takes as `limit`. The two take turns in short rounds. A round counts the fastest run of
 * each, and the result is the median over the rounds, which hardly changes when the machine is busy.
 */
export async function ratio(candidate: Side, limit: Side, { rounds = 9, times = 3 }: RatioOptions = {}): Promise<number> {
  await fastest(candidate, times);
  await fastest(limit, times);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const limitMs = await fastest(limit, times);
    ratios.push((await fastest(candidate, times)) / limitMs);
  }
  return median(ratios);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new RangeError("the median of nothing");
  return middle;
}
