/** Milliseconds between two looks, and looks without a sign of life after which there is none to come. */
export const pulse = { every: 2_000, looks: 8 } as const;

export interface PulseParts {
  /** A small question; a failure is a sign of life, too. */
  readonly ask: () => Promise<unknown>;
  /** Whether someone waits for anything. Otherwise nothing is asked. */
  readonly busy: () => boolean;
  /** It answers no more. Called once. */
  readonly silent: () => void;
}

/**
 * A container whose frame has died says nothing, and neither does its client; so while someone waits it is asked now and then. Looks are
 * counted, not time: a page that was asleep itself makes one. Returns the way to stop.
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
