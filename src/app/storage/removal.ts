/** Where it is kept; it goes last. */
export const removalKey = "vibey remove all";

/**
 * Whether the person has said that nothing of Vibey is to stay in this browser. It is kept until that is done: a page that is closed in the
 * middle leaves no half of it, since the next one goes on.
 */
export const removalWanted = (): boolean => {
  try {
    return localStorage.getItem(removalKey) !== null;
  } catch {
    // Where storage is blocked nothing is stored, and the engine says so.
    return false;
  }
};

/** From the next start on. */
export const wantRemoval = (): void => localStorage.setItem(removalKey, "yes");

export const removalDone = (): void => localStorage.removeItem(removalKey);
