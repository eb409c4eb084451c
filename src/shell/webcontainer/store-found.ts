import type { BackgroundOptions } from "../sandbox.ts";
import type { Mirror } from "./mirror.ts";

/**
 * Stores the changes that were found. Where the store now differs, its content goes back into the WebContainer: now, or with the next files. Rejects
 * only if `commit` does.
 */
export async function storeFound(mirror: Mirror, commit: BackgroundOptions["commitChanges"]): Promise<void> {
  const changes = mirror.take();
  if (changes.length === 0) return;
  await commit(changes);
  // If this fails, a WebContainer that has gone gets all files again when it restarts; a live one gets these with the next command.
  await mirror.settle(changes).catch(() => undefined);
}

/** Checks a last time. Returns lines about files that can't be kept. Never rejects. */
export async function collectWithRemarks(mirror: Mirror): Promise<readonly string[]> {
  try {
    await mirror.collect();
    return mirror.takeRemarks();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [...mirror.takeRemarks(), `what was changed in the last seconds could not be found out: ${why}`];
  }
}
