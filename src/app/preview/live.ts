/** In milliseconds. */
export const liveTimes = {
  /** After this time without a change, the page is reloaded. */
  settle: 300,
  /** The minimum time between two starts of the page, however fast an agent writes. */
  apart: 1_500,
  /** The time after the first change at which the page is reloaded even if changes continue. */
  longest: 3_000,
} as const;

/** Collects changed paths, and reports them when writing has paused. */
export function createLive(changed: (paths: ReadonlySet<string>) => void, now: () => number = () => performance.now()) {
  let paths = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let first = 0;
  let last = Number.NEGATIVE_INFINITY;
  function flush() {
    timer = undefined;
    last = now();
    const all = paths;
    paths = new Set();
    changed(all);
  }
  return {
    add(path: string) {
      if (paths.size === 0) first = now();
      paths.add(path);
      clearTimeout(timer);
      const quiet = Math.min(now() + liveTimes.settle, first + liveTimes.longest);
      timer = setTimeout(flush, Math.max(quiet, last + liveTimes.apart) - now());
    },
    cancel() {
      clearTimeout(timer);
      timer = undefined;
      paths.clear();
    },
  };
}
