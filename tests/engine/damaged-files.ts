import type { Files } from "../../src/fs/files.ts";
import { StorageError } from "../../src/fs/storage-error.ts";

/** The same files, some of them unreadable. As in IndexedDB, reading one of these together with other files fails for all of them. */
export function damagedFiles<Some extends Pick<Files, "read" | "readMany">>(files: Some, damaged: readonly string[]): Some {
  const readMany: Files["readMany"] = async (paths) => {
    for (const path of paths) if (damaged.includes(path)) throw new StorageError("damaged", `${path} has 1 bytes of 2`);
    return files.readMany(paths);
  };
  return { ...files, readMany, read: async (path) => (await readMany([path]))[0] ?? null };
}
