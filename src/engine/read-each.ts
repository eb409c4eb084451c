import type { FileContent, Files } from "../fs/files.ts";
import type { Path } from "../fs/path.ts";
import { StorageError } from "../fs/storage-error.ts";

/** As `Files.readMany`, for files of which one that can't be read says nothing of the others: it is the reason why. */
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

/** The same where a file that can't be read is as good as one that is gone. */
export async function readUndamaged(files: Pick<Files, "readMany">, paths: readonly Path[]): Promise<(FileContent | null)[]> {
  return (await readEach(files, paths)).map((read) => (read instanceof StorageError ? null : read));
}
