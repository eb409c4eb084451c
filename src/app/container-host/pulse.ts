/** Milliseconds between two checks, and the number of checks without an answer after which the container counts as dead. */
export const pulse = { every: 2_000, looks: 8 } as const;

export interface PulseParts {
  /** A small request. A failure is a sign of life, too. */
  readonly ask: () => Promise<unknown>;
  /** Whether someone is waiting for something. Otherwise nothing is asked. */
  readonly busy: () => boolean;
  /** Called once if the container no longer answers. */
  readonly silent: () => void;
}

/**
 * A container whose frame has died reports nothing, and neither does its client. So while someone waits, the container is asked regularly. Checks are
 * counted instead of time, because a page that was asleep makes only one. Returns a function that stops it.
 */
export function startPulse({ ask, busy, silent }: PulseParts): () => void {
  let asked = false;
  let missed = 0;
  const answered = () => {
    asked = false;
    missed = 0;
  };
  const timer = setInterval(() => {
    if (!asked && busy()) {
      asked = true;
      ask().then(answered, answered);
    } else if (asked && ++missed === pulse.looks) {
      clearInterval(timer);
      silent();
    }
  }, pulse.every);
  return () => clearInterval(timer);
}
