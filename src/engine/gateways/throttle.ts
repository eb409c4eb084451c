/** How often something may go wrong in a while. */
export interface Throttle {
  /** Tries after all earlier tries, so that of many at once no more go wrong than of as many in a row. `often`: too much went wrong lately. */
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
