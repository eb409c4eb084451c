import type { Files } from "../../src/fs/files.ts";
import { StorageError } from "../../src/fs/storage-error.ts";

/** The same files, of which some can't be read: as in IndexedDB, no file is that is read together with one of them. */
export function damagedFiles<Some extends Pick<Files, "read" | "readMany">>(files: Some, damaged: readonly string[]): Some {
  const readMany: Files["readMany"] = async (paths) => {
    for (const path of paths) if (damaged.includes(path)) throw new StorageError("damaged", `${path} has 1 bytes of 2`);
    return files.readMany(paths);
  };
  return { ...files, readMany, read: async (path) => (await readMany([path]))[0] ?? null };
}
