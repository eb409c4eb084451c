import { duration } from "../shell/words.ts";

/** Seconds at which those who listen are told that it still runs; from the last one on, every so often. */
const spokenAt = [10, 30, 60] as const;

/** "12 s", "2 min 5 s". */
export const elapsed = (seconds: number) => (seconds < 60 ? `${seconds} s` : duration(seconds * 1_000));

/** The last moment, in seconds, at which it was to be said that the command still runs; null before the first. */
export function spokenSeconds(seconds: number): number | null {
  const last = spokenAt[spokenAt.length - 1] ?? 60;
  if (seconds >= last) return Math.floor(seconds / last) * last;
  return spokenAt.findLast((at) => at <= seconds) ?? null;
}
