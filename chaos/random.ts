export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number between `from` and `to`, both included. */
  whole(from: number, to: number): number;
  shuffled<T>(list: readonly T[]): T[];
}

/** The same numbers for the same seed (mulberry32), so that a campaign can be repeated. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    shuffled(list) {
      const all = list.slice();
      for (let at = all.length - 1; at > 0; at -= 1) {
        const other = whole(0, at);
        const [here, there] = [all[at], all[other]];
        if (here !== undefined && there !== undefined) [all[at], all[other]] = [there, here];
      }
      return all;
    },
  };
}
