import type { BackgroundOptions } from "../sandbox.ts";
import type { Mirror } from "./mirror.ts";

/** What was found is stored, and what the store has then goes back into the WebContainer where it differs: now, or with the next files. Rejects only where `commit` does. */
export async function storeFound(mirror: Mirror, commit: BackgroundOptions["commitChanges"]): Promise<void> {
  const changes = mirror.take();
  if (changes.length === 0) return;
  await commit(changes);
  // One that is gone is given everything again; one that is not, with the next command.
  await mirror.settle(changes).catch(() => undefined);
}

/** Looks a last time, and says what can't be kept. Never rejects. */
export async function collectWithRemarks(mirror: Mirror): Promise<readonly string[]> {
  try {
    await mirror.collect();
    return mirror.takeRemarks();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [...mirror.takeRemarks(), `what was changed in the last seconds could not be found out: ${why}`];
  }
}
