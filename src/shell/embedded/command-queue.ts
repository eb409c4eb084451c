import { deferred } from "./deferred.ts";

/** Who may run now: a bounded number of commands at a time, one of each session, the others in the order in which they came. */
export interface CommandQueue {
  /** Settles when a command of the session may begin; null: the signal was aborted before. `waits`: called when it can't begin at once. */
  enter(session: string, signal: AbortSignal, waits?: () => void): Promise<CommandTurn | null>;
}

export interface CommandTurn {
  /** The command waits for the user, so another one may run in its place. Once answered, it continues immediately, even if that is one too many. */
  standsStill(still: boolean): void;
  /** It is over. */
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
  /** Commands that run, without those that stand still. */
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
