/** Where the person's word is kept that nothing of Vibey is to stay in this browser; it goes last. */
export const removalKey = "vibey remove all";

const stores = (): Storage[] => {
  try {
    return [localStorage, sessionStorage];
  } catch {
    // Where storage is blocked nothing is stored, and the engine says so.
    return [];
  }
};

/** Whether the person has said it. It is kept until that is done: when a page is closed in the middle, the next one continues. */
export const removalWanted = (): boolean => stores().some((store) => store.getItem(removalKey) !== null);

/** From the next start of any tab on. Throws what the browser said when it can be kept nowhere. */
export function wantRemoval(): void {
  try {
    localStorage.setItem(removalKey, "yes");
  } catch (error) {
    // It is full: what is to be removed. Then this tab alone knows of it.
    if (!(error instanceof DOMException)) throw error;
    sessionStorage.setItem(removalKey, "yes");
  }
}

let trouble: string | null = null;

/** Why the page that removes everything could not be shown; null: it could. */
export const removalTrouble = (): string | null => trouble;

/** Nothing is removed, and nothing will be before the person asks for it again: what is written from now on would go at another time. */
export function giveUpRemoval(error: unknown): void {
  trouble = error instanceof Error ? error.message : String(error);
  endRemoval();
}

/** It is done, or the person wants to keep everything. */
export function endRemoval(): void {
  for (const store of stores()) store.removeItem(removalKey);
}
