/** One that waits for the user. */
export interface Waiting {
  /** true: something may be there for the agent; false: it need not wait any longer. */
  readonly woken: Promise<boolean>;
  readonly leave: () => void;
}

/** Agents that wait for a message of the user's, while they wait. It is gone with the engine: what was not handed over stands in the record. */
export interface Channel {
  /** One that waited before in its place is let go. */
  wait(dialogId: string, signal: AbortSignal): Waiting;
  /** The user has said something. */
  wake(dialogId: string): void;
  /** The agent works again, and hears of the user by what it reports. */
  letGo(dialogId: string): void;
}

export function createChannel(): Channel {
  const waiting = new Map<string, (isWoken: boolean) => void>();
  const end = (dialogId: string, isWoken: boolean) => waiting.get(dialogId)?.(isWoken);
  return {
    wait(dialogId, signal) {
      end(dialogId, false);
      let resolve: (isWoken: boolean) => void = () => undefined;
      const woken = new Promise<boolean>((done) => (resolve = done));
      const settle = (isWoken: boolean) => {
        if (waiting.get(dialogId) === settle) waiting.delete(dialogId);
        signal.removeEventListener("abort", leave);
        resolve(isWoken);
      };
      const leave = () => settle(false);
      waiting.set(dialogId, settle);
      signal.addEventListener("abort", leave, { once: true });
      if (signal.aborted) leave();
      return { woken, leave };
    },
    wake: (dialogId) => end(dialogId, true),
    letGo: (dialogId) => end(dialogId, false),
  };
}
