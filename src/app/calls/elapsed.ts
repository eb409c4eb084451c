/** Seconds at which screen readers announce that the command is still running. The last one then repeats. */
const spokenAt = [10, 30, 60] as const;

/**
 * When a command began, in milliseconds of a clock that shows `now` at the time `date` (milliseconds since 1970). null: the text isn't a valid time,
 * or is in the future because someone edited it or set the computer's clock.
 */
export function beginning(started: string | null, now: number, date: number): number | null {
  const ago = date - Date.parse(started ?? "");
  return ago >= 0 ? now - ago : null;
}

/** The most recent time, in seconds, at which the running command was to be announced; null before the first. */
export function spokenSeconds(seconds: number): number | null {
  const last = spokenAt[spokenAt.length - 1] ?? 60;
  if (seconds >= last) return Math.floor(seconds / last) * last;
  return spokenAt.findLast((at) => at <= seconds) ?? null;
}
