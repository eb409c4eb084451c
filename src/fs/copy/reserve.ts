import { StorageError } from "../storage-error.ts";
import { locationError, privateFiles } from "./backup-location.ts";

/**
 * Space that is reserved in the origin's private files for when the storage is full: opening a project and removing a file both have to write
 * something. Without the reserve neither would be possible, and so no space could be freed.
 */
export interface Reserve {
  /** Reserves as much as there is space for. Does nothing if it is already reserved. */
  keep(): Promise<void>;
  /** Releases it. Returns whether there was any. */
  spend(): Promise<boolean>;
}

/**
 * In bytes, largest first: if one does not fit, the next smaller one is tried. Browsers notice rather late that their quota is used up, so the sizes
 * are not small.
 */
const sizes = [1_048_576, 524_288, 262_144, 131_072, 65_536, 32_768] as const;

const fileName = "reserve";

/** In the folder of the backup. Rejects with a `StorageError` if a browser has no private files that can be written this way. */
export function opfsReserve(name: string): Reserve {
  const asked = async <Value>(work: (folder: FileSystemDirectoryHandle) => Promise<Value>): Promise<Value> => {
    try {
      return await work(await (await privateFiles(() => navigator.storage.getDirectory())).getDirectoryHandle(name, { create: true }));
    } catch (error) {
      throw locationError(error);
    }
  };
  return {
    keep: () =>
      asked(async (folder) => {
        const handle = await folder.getFileHandle(fileName, { create: true });
        const { size: before } = await handle.getFile();
        for (const size of sizes) if (before >= size || (await fills(handle, size))) return;
      }),
    spend: () =>
      asked(async (folder) => {
        try {
          const { size } = await (await folder.getFileHandle(fileName)).getFile();
          await folder.removeEntry(fileName);
          return size > 0;
        } catch (error) {
          if (error instanceof DOMException && error.name === "NotFoundError") return false;
          throw error;
        }
      }),
  };
}

/** Whether the file has this many bytes now. If not, it is unchanged. A synchronous handle would need a megabyte of space for the first byte. */
async function fills(handle: FileSystemFileHandle, size: number): Promise<boolean> {
  const file = await privateFiles(() => handle.createWritable());
  try {
    await file.write(new Uint8Array(size));
    await file.close();
    return true;
  } catch (error) {
    const known = locationError(error);
    if (known instanceof StorageError && known.kind === "full") return false;
    throw error;
  }
}
