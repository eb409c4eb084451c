/** Milliseconds. */
export const liveTimes = {
  /** Without a change, after which the page is reloaded. */
  settle: 300,
  /** From one start of the page to the next at least, however fast an agent writes. */
  apart: 1_500,
  /** From the first change on, after which it is loaded although the changes continue. */
  longest: 3_000,
} as const;

/** Gathers changed paths, and hands them on when writing has paused. */
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
