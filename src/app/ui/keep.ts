/** Values for which there was no room. */
const unkept = new Map<string, string>();

/**
 * Saves a choice on this device. False: the browser's storage is full or unavailable, so the choice lasts only as long as the page. That doesn't stop
 * the action that it was made for.
 */
export function keep(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    unkept.delete(key);
    return true;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    unkept.set(key, value);
    return false;
  }
}

/** The saved choice; null if there is none. */
export const kept = (key: string): string | null => unkept.get(key) ?? localStorage.getItem(key);

export function unkeep(key: string): void {
  unkept.delete(key);
  localStorage.removeItem(key);
}
