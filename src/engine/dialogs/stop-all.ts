import type { DialogFile } from "./open.ts";

export interface StopAllDeps {
  readonly list: () => Promise<readonly DialogFile[]>;
  /** Nobody begins until the returned function is called. */
  readonly hold: () => () => void;
  /** Stops one; false: it can't be. */
  readonly stop: (dialogId: string) => Promise<boolean>;
}

/**
 * Stops every active dialog, each once; those that its agents launch in the same moment too: a launch is there before its
 * launcher is stopped, or it is not made. Nobody who waited begins because another one was stopped. Returns the ids.
 */
export async function stopAll({ list, hold, stop }: StopAllDeps): Promise<string[]> {
  const release = hold();
  try {
    const tried = new Set<string>();
    const stopped: string[] = [];
    for (;;) {
      const active = (await list()).filter(({ status, dialogId }) => status === "active" && !tried.has(dialogId));
      if (active.length === 0) return stopped;
      await Promise.all(
        active.map(async ({ dialogId }) => {
          tried.add(dialogId);
          if (await stop(dialogId)) stopped.push(dialogId);
        }),
      );
    }
  } finally {
    release();
  }
}
