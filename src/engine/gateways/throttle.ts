/** Limits how often something may fail within a period. */
export interface Throttle {
  /** Attempts run one after another, so that parallel attempts can't exceed the limit. `often`: too many failed recently. */
  attempt(isRight: () => Promise<boolean>): Promise<"right" | "wrong" | "often">;
}

export function createThrottle(most: number, whileMs: number, now: () => number): Throttle {
  let times: number[] = [];
  let last: Promise<unknown> = Promise.resolve();
  async function attempt(isRight: () => Promise<boolean>): Promise<"right" | "wrong" | "often"> {
    const since = now() - whileMs;
    times = times.filter((time) => time > since);
    if (times.length >= most) return "often";
    if (await isRight()) return "right";
    times.push(now());
    return "wrong";
  }
  return {
    attempt(isRight) {
      const result = last.then(() => attempt(isRight));
      last = result.catch(() => undefined);
      return result;
    },
  };
}
