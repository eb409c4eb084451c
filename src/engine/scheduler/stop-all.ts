import type { DialogFile } from "../dialogs/open.ts";

export interface StopAllDeps {
  readonly list: () => Promise<readonly DialogFile[]>;
  /** The dialogs that run now, not those that wait for their turn. */
  readonly running: () => readonly string[];
  /** No one begins until the returned function is called. */
  readonly hold: () => () => void;
  /** Stops one; false: it can't be. */
  readonly stop: (dialogId: string) => Promise<boolean>;
}

/**
 * Stops every active dialog, each once, running ones first, so that they don't keep working while thousands of waiting ones are stopped. Dialogs that agents launch during the stop are stopped too: a launch either completes before its launcher stops, or doesn't happen. Freed slots don't start waiting dialogs. Returns the ids.
 */
export async function stopAll({ list, running, hold, stop }: StopAllDeps): Promise<string[]> {
  const release = hold();
  try {
    const tried = new Set<string>();
    const stopped: string[] = [];
    const stopThese = (ids: readonly string[]) =>
      Promise.all(
        ids.map(async (id) => {
          tried.add(id);
          if (await stop(id)) stopped.push(id);
        }),
      );
    await stopThese(running());
    for (;;) {
      const active = (await list()).filter(({ status, dialogId }) => status === "active" && !tried.has(dialogId));
      if (active.length === 0) return stopped;
      await stopThese(active.map(({ dialogId }) => dialogId));
    }
  } finally {
    release();
  }
}
