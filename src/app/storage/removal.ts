/** The key that records the user's wish to remove everything of Vibey from this browser. It is removed last. */
export const removalKey = "vibey remove all";

const stores = (): Storage[] => {
  try {
    return [localStorage, sessionStorage];
  } catch {
    // If storage is blocked, nothing is stored, and the engine says so.
    return [];
  }
};

/**
 * Whether the user has asked for the removal. The wish is kept until the removal is complete: if the page is closed before, the next one continues.
 */
export const removalWanted = (): boolean => stores().some((store) => store.getItem(removalKey) !== null);

/** Takes effect at the next start of any tab. Throws the browser's error if the wish can't be stored anywhere. */
export function wantRemoval(): void {
  try {
    localStorage.setItem(removalKey, "yes");
  } catch (error) {
    // Local storage is full of what is to be removed. Then only this tab knows about it.
    if (!(error instanceof DOMException)) throw error;
    sessionStorage.setItem(removalKey, "yes");
  }
}

let trouble: string | null = null;

/** Why the removal page could not be shown; null: it could. */
export const removalTrouble = (): string | null => trouble;

/** Cancels the removal, so that nothing is removed until the user asks again. Otherwise, later work would be removed at some other time. */
export function giveUpRemoval(error: unknown): void {
  trouble = error instanceof Error ? error.message : String(error);
  endRemoval();
}

/** The removal is complete, or the user wants to keep everything. */
export function endRemoval(): void {
  for (const store of stores()) store.removeItem(removalKey);
}
