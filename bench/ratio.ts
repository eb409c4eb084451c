/** One side of a comparison: does its work once. */
export type Side = () => unknown;

/** Keeps what a side returned, so that nothing of it is optimised away. */
const kept: { last: unknown } = { last: null };

/** Milliseconds of the fastest of `times` runs: the one that was disturbed least. */
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
 * How many times as long `candidate` takes as `limit`. The two take turns in short rounds; a round counts the fastest run of
 * each, and the answer is the median over the rounds, which hardly moves when the machine is busy.
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
