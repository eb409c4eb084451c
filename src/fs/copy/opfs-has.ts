/**
 * Whether there may be a copy of that name; cheap, and makes nothing. Only where the browser says that there is no such folder, or has no
 * private file system for us at all, there is none for certain.
 */
export async function opfsHas(name: string): Promise<boolean> {
  let root: FileSystemDirectoryHandle;
  try {
    root = await navigator.storage.getDirectory();
  } catch (error) {
    // Private windows refuse it: those of Firefox with a SecurityError, those of Safari with an UnknownError. Nothing was ever written there.
    if (error instanceof DOMException || error instanceof TypeError) return false;
    throw error;
  }
  try {
    await root.getDirectoryHandle(name);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return error.name !== "NotFoundError";
    throw error;
  }
}
