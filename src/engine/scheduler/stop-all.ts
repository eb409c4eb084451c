import type { DialogFile } from "../dialogs/open.ts";

export interface StopAllDeps {
  readonly list: () => Promise<readonly DialogFile[]>;
  /** The dialogs that are running now, without those that wait in the queue. */
  readonly running: () => readonly string[];
  /** Prevents all starts until the returned function is called. */
  readonly hold: () => () => void;
  /** Stops a dialog. Returns false if that isn't possible. */
  readonly stop: (dialogId: string) => Promise<boolean>;
}

/**
 * Stops every active dialog once, running ones first, so that they don't keep working while thousands of waiting ones are stopped. Dialogs that
 * agents launch during the stop are stopped too: a launch either completes before its launcher stops, or doesn't happen. Freed slots don't start
 * waiting dialogs. Returns the ids.
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
