/** Milliseconds in which a program that has begun listens, if it is a server. */
const listensWithin = 3_000;

/** One program of `node`. */
export interface ProgramStart {
  /** Its first line is about to run, or has. */
  begun(): void;
  ended(): void;
}

/** The programs of a shell that may be servers which do not listen yet. */
export interface ProgramStarts {
  begin(): ProgramStart;
  /** Asks until there is an answer, or none of them may listen anymore. */
  wait<T>(ask: () => Promise<T | null>, sleep: () => Promise<void>, stopped: AbortSignal): Promise<T | null>;
}

export function createProgramStarts(now: () => number): ProgramStarts {
  /** Until when each counts. */
  const starting = new Map<ProgramStart, number>();
  return {
    begin() {
      const one: ProgramStart = {
        begun() {
          if (starting.get(one) === Infinity) starting.set(one, now() + listensWithin);
        },
        ended: () => void starting.delete(one),
      };
      starting.set(one, Infinity);
      return one;
    },
    async wait(ask, sleep, stopped) {
      for (;;) {
        const answer = await ask();
        if (answer !== null || stopped.aborted || ![...starting.values()].some((until) => now() < until)) return answer;
        await sleep();
      }
    },
  };
}
