/**
 * Whether there may be a backup with that name. Cheap, and creates nothing. It is certain that there is none only if the browser says that there is
 * no such folder, or has no private file system for us.
 */
export async function opfsHas(name: string): Promise<boolean> {
  let root: FileSystemDirectoryHandle;
  try {
    root = await navigator.storage.getDirectory();
  } catch (error) {
    // Private windows refuse access: Firefox with a SecurityError, Safari with an UnknownError. Nothing was ever written there.
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
