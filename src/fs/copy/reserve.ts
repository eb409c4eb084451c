import { StorageError } from "../storage-error.ts";
import { locationError, privateFiles } from "./backup-location.ts";

/**
 * Room that is set aside in the origin's private files for when the storage is full: anyone who opens the project writes that it is theirs,
 * and anyone who removes a file writes that it is gone. Without that room neither could be done, and so no room be made.
 */
export interface Reserve {
  /** Sets aside as much as there is room for; does nothing where it is set aside already. */
  keep(): Promise<void>;
  /** Gives it up; answers whether there was any. */
  spend(): Promise<boolean>;
}

/** Bytes, the most first: what does not fit is tried smaller. Browsers notice somewhat late that the room they give is used up, so it is not little. */
const sizes = [1_048_576, 524_288, 262_144, 131_072, 65_536, 32_768] as const;

const fileName = "reserve";

/** In the folder of the backup. Rejects with a `StorageError` where a browser has no private files that can be written so. */
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

/** Whether the file has so many bytes now; else it is what it was. A synchronous handle would need a megabyte of room for the first byte. */
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
