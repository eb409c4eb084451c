/** What found no room. */
const unkept = new Map<string, string>();

/**
 * Keeps a choice on this device. False: the browser's storage has no room for it, or can't be had, and it lasts as long as the page: that is
 * no reason to stop what the choice was made for.
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

/** What was chosen; null: nothing. */
export const kept = (key: string): string | null => unkept.get(key) ?? localStorage.getItem(key);

export function unkeep(key: string): void {
  unkept.delete(key);
  localStorage.removeItem(key);
}
