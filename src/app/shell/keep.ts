/**
 * Keeps a choice on this device. False: the browser's storage has no room for it, or can't be had, and it lasts as long as the page: that is
 * no reason to stop what the choice was made for.
 */
export function keep(key: string, value: string): boolean {
  try {
    localStorage.setItem(key, value);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
