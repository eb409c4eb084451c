import type { FileContent, Files } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import { StorageError } from "../fs/storage-error.ts";

/** As `Files.readMany`, for files of which one that can't be read says nothing of the others: it is null, like one that is gone. */
export async function readUndamaged(files: Pick<Files, "readMany">, paths: readonly Path[]): Promise<(FileContent | null)[]> {
  try {
    return await files.readMany(paths);
  } catch (error) {
    if (!(error instanceof StorageError) || error.kind === "closed") throw error;
    if (paths.length === 1) return [null];
    const found: (FileContent | null)[] = [];
    for (const path of paths) found.push(...(await readUndamaged(files, [path])));
    return found;
  }
}
