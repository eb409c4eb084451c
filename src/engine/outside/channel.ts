/** An agent that waits for the user. */
export interface Waiting {
  /** True: there may be something for the agent. False: it must not wait any longer. */
  readonly woken: Promise<boolean>;
  readonly leave: () => void;
}

/** Agents that are waiting for a message from the user. Lost when the engine ends, but undelivered messages are in the record. */
export interface Channel {
  /** Replaces an earlier wait for the same dialog, which ends. */
  wait(dialogId: string, signal: AbortSignal): Waiting;
  /** The user has sent something. */
  wake(dialogId: string): void;
  /** The agent works again: it gets the user's messages in the answers to its reports. */
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
