/** Whether there may be a copy of that name; cheap, and makes nothing. False where the browser has no private file system for us. */
export async function opfsHas(name: string): Promise<boolean> {
  try {
    await (await navigator.storage.getDirectory()).getDirectoryHandle(name);
    return true;
  } catch (error) {
    // No such folder; or no file system at all, and then nothing was ever written to it.
    if (error instanceof DOMException || error instanceof TypeError) return false;
    throw error;
  }
}
