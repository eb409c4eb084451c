import { deferred } from "./deferred.ts";

/** Decides which commands may run: a limited number at the same time, one per session, in the order of the calls. */
export interface CommandQueue {
  /**
   * Resolves when a command of the session may begin; to null if the signal was aborted first. `waits` is called if the command can't begin at once.
   */
  enter(session: string, signal: AbortSignal, waits?: () => void): Promise<CommandTurn | null>;
}

export interface CommandTurn {
  /** The command waits for the user, so another one may run in its place. Once answered, it continues immediately, even if that exceeds the limit. */
  standsStill(still: boolean): void;
  /** The command has ended. */
  leave(): void;
}

interface Entry {
  readonly session: string;
  readonly begin: (turn: CommandTurn) => void;
}

export function createCommandQueue(most: number): CommandQueue {
  let waiting: readonly Entry[] = [];
  /** The sessions whose command has its turn. */
  const busy = new Set<string>();
  /** The number of running commands, without those that wait for the user. */
  let running = 0;

  function admit(): void {
    while (running < most) {
      const next = waiting.find(({ session }) => !busy.has(session));
      if (next === undefined) return;
      waiting = waiting.filter((entry) => entry !== next);
      next.begin(take(next.session));
    }
  }

  function take(session: string): CommandTurn {
    busy.add(session);
    running += 1;
    let isStill = false;
    return {
      standsStill(still) {
        if (still === isStill) return;
        isStill = still;
        running += still ? -1 : 1;
        admit();
      },
      leave() {
        if (!isStill) running -= 1;
        busy.delete(session);
        admit();
      },
    };
  }

  return {
    enter(session, signal, waits) {
      if (signal.aborted) return Promise.resolve(null);
      const { promise, resolve } = deferred<CommandTurn | null>();
      const giveUp = (): void => {
        waiting = waiting.filter((one) => one !== entry);
        resolve(null);
      };
      const entry: Entry = {
        session,
        begin(turn) {
          signal.removeEventListener("abort", giveUp);
          resolve(turn);
        },
      };
      signal.addEventListener("abort", giveUp, { once: true });
      waiting = [...waiting, entry];
      admit();
      if (waiting.includes(entry)) waits?.();
      return promise;
    },
  };
}
