import type { Timers } from "./embedded.ts";
import type { Asked } from "./one-command.ts";

/** How long others wait while a human is asked. Milliseconds. */
const patienceMs = 15_000;

/**
 * Fairness between sessions: while a command waits for a human's word, its time stands still, and so would everybody behind it. When
 * a command of another session has waited for 15 s beside a question, the question is given up.
 */
export interface Patience {
  /** A command waits for its turn; call what it returns when it waits no more, because it runs or because it gave up. */
  waits(session: string): (runs: boolean) => void;
  /** The command that runs waits for a human's word; null: it does not any more. */
  standsStill(asked: Asked | null): void;
}

export function createPatience(timers: Timers): Patience {
  /** The sessions of the commands that wait. */
  const queue: string[] = [];
  let asked: Asked | null = null;
  let stopTimer: (() => void) | null = null;
  let running: string | null = null;

  function look(): void {
    const othersWait = asked !== null && queue.some((session) => session !== running);
    if (!othersWait) {
      stopTimer?.();
      stopTimer = null;
    } else
      stopTimer ??= timers.after(patienceMs, () => {
        stopTimer = null;
        asked?.giveUp();
      });
  }

  return {
    waits(session) {
      queue.push(session);
      look();
      return (runs) => {
        queue.splice(queue.indexOf(session), 1);
        if (runs) running = session;
        look();
      };
    },
    standsStill(now) {
      asked = now;
      look();
    },
  };
}
