/** Seconds at which those who listen are told that it still runs; from the last one on, every so often. */
const spokenAt = [10, 30, 60] as const;

/**
 * When a command began, in milliseconds of a clock that shows `now` at the time `date` (milliseconds since 1970). null: its text is no
 * time, or one that is still to come, since someone wrote it or set the computer's clock.
 */
export function beginning(started: string | null, now: number, date: number): number | null {
  const ago = date - Date.parse(started ?? "");
  return ago >= 0 ? now - ago : null;
}

/** The last moment, in seconds, at which it was to be said that the command still runs; null before the first. */
export function spokenSeconds(seconds: number): number | null {
  const last = spokenAt[spokenAt.length - 1] ?? 60;
  if (seconds >= last) return Math.floor(seconds / last) * last;
  return spokenAt.findLast((at) => at <= seconds) ?? null;
}
