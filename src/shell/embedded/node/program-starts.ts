/** Milliseconds within which a program that has started listens, if it is a server. */
const listensWithin = 3_000;

/** A program of `node`. */
export interface ProgramStart {
  /** Call it when the program's first line is about to run. */
  begun(): void;
  ended(): void;
}

/** The programs of a shell that may be servers but do not listen yet. */
export interface ProgramStarts {
  begin(): ProgramStart;
  /** Asks until there is an answer, or until no program is left that may still listen. */
  wait<T>(ask: () => Promise<T | null>, sleep: () => Promise<void>, stopped: AbortSignal): Promise<T | null>;
}

export function createProgramStarts(now: () => number): ProgramStarts {
  /** Until when each program may still begin to listen. */
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
