/** How often something may go wrong in a while. */
export interface Throttle {
  /** Too much went wrong lately: nothing more is tried. */
  isOver(): boolean;
  wrong(): void;
}

export function createThrottle(most: number, whileMs: number, now: () => number): Throttle {
  let times: number[] = [];
  return {
    isOver() {
      const since = now() - whileMs;
      times = times.filter((time) => time > since);
      return times.length >= most;
    },
    wrong: () => void times.push(now()),
  };
}
