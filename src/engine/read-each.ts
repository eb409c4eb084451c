import type { FileContent, Files } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import { StorageError } from "../fs/storage-error.ts";

/** Like `Files.readMany`, but an unreadable file doesn't fail the others: its entry is the error. */
export async function readEach(
  files: Pick<Files, "readMany">,
  paths: readonly Path[],
): Promise<readonly (FileContent | StorageError | null)[]> {
  try {
    return await files.readMany(paths);
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind === "closed") throw error;
    if (paths.length === 1) return [error];
    const found: (FileContent | StorageError | null)[] = [];
    for (const path of paths) found.push(...(await readEach(files, [path])));
    return found;
  }
}

/** Like `readEach`, but treats a file that can't be read as missing. */
export async function readUndamaged(files: Pick<Files, "readMany">, paths: readonly Path[]): Promise<(FileContent | null)[]> {
  return (await readEach(files, paths)).map((read) => (read instanceof StorageError ? null : read));
}
