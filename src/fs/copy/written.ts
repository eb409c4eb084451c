import { placeError } from "./place.ts";

/**
 * Whether anything of a project was ever stored, told outside of its database: a browser that loses that one opens an empty one without a
 * word, and the second copy begins a moment after the first words. With this mark the project is not taken for a new one.
 */
export interface Written {
  note(): Promise<void>;
  isNoted(): Promise<boolean>;
}

const fileName = "written";

/** In the folder of the second copy. Rejects with a `StorageError` where a browser has no private files. */
export function opfsWritten(name: string): Written {
  const folder = async (): Promise<FileSystemDirectoryHandle> =>
    (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
  return {
    async note() {
      try {
        await (await folder()).getFileHandle(fileName, { create: true });
      } catch (error) {
        throw placeError(error);
      }
    },
    async isNoted() {
      try {
        await (await folder()).getFileHandle(fileName);
        return true;
      } catch (error) {
        if (error instanceof DOMException && error.name === "NotFoundError") return false;
        throw placeError(error);
      }
    },
  };
}
