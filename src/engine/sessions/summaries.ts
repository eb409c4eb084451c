import type { Files } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { Dialog } from "../../dialog/model.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import type { DialogListing } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";

/** Maximum number of parsed dialogs in the cache. */
const kept = 200;

/** Reads dialogs for a list, each once as long as it stays as it is. null: it can't be read, or is very long. */
export function createSummaries(files: Pick<Files, "list" | "read">) {
  const known = new Map<string, { readonly mtime: number; readonly dialog: Dialog }>();
  return async ({ filename, mtime }: Pick<DialogListing, "filename" | "mtime">): Promise<Dialog | null> => {
    const before = known.get(filename);
    if (before?.mtime === mtime) return before.dialog;
    known.delete(filename);
    const path = vibeyPath(filename);
    const [stat] = await files.list(path);
    if (!stat || stat.size > limits.factsBytes) return null;
    try {
      const content = await files.read(path);
      if (content === null) return null;
      const { dialog } = recoverDialog(new TextDecoder().decode(content.bytes));
      known.set(filename, { mtime, dialog });
      for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
      return dialog;
    } catch (error) {
      if (error instanceof StorageError) return null;
      throw error;
    }
  };
}
