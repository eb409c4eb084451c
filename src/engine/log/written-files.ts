import { joinBytes, toBytes } from "../../fs/bytes.ts";
import type { Change, Files, FileStat } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import type { Dialog } from "../../dialog/model.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import { upgrade } from "../../dialog/upgrade.ts";
import { type News, newEventsBetween } from "./new-events.ts";

const decoder = new TextDecoder();

/** The events in dialog files that these changes write as a whole: a new dialog, an import, a user's edit. */
export async function newsOfFiles(changes: readonly Change[], files: Pick<Files, "list" | "read">): Promise<News[]> {
  const found: News[] = [];
  for (const change of changes) {
    if (change.op !== "write") continue;
    const dialogId = parseDialogFilename(nameOf(change.path) ?? "")?.dialogId;
    if (dialogId === undefined) continue;
    const { data } = change;
    const bytes =
      typeof data === "string" || data instanceof Uint8Array ? toBytes(data) : joinBytes(data.map((piece) => toBytes(piece.data)));
    const news = newEventsBetween((await storedDialog(files, dialogId))?.dialog ?? null, dialogIn(bytes), dialogId);
    if (news) found.push(news);
  }
  return found;
}

/** A dialog as its file has it. */
export interface StoredDialog {
  readonly version: number;
  readonly size: number;
  readonly dialog: Dialog;
}

/** How often a file is searched that has another name each time. */
const maxTries = 5;

/**
 * The dialog as its file has it. Null: there is no readable file. A file's name contains the status, so if the file is renamed before it is read, it
 * is searched again. `known` is returned if its file has not changed.
 */
export async function storedDialog(
  files: Pick<Files, "list" | "read">,
  dialogId: string,
  known?: StoredDialog,
): Promise<StoredDialog | null> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const stat = await findDialog(files, dialogId);
    if (stat === null) return null;
    if (known?.version === stat.version) return known;
    try {
      const content = await files.read(stat.path);
      if (content) return { version: content.version, size: content.size, dialog: dialogIn(content.bytes) };
    } catch (error) {
      if (error instanceof StorageError) return null;
      throw error;
    }
  }
  return null;
}

/** The dialog's file, with any status. */
export async function findDialog(files: Pick<Files, "list">, dialogId: string): Promise<FileStat | null> {
  const stats = await files.list(`vibey/dialog-${dialogId}-`);
  return stats.find(({ path }) => parseDialogFilename(nameOf(path) ?? "")?.dialogId === dialogId) ?? null;
}

/** The dialog as the engine opens it. A dialog of an earlier Vibey is upgraded. */
export function dialogIn(bytes: Uint8Array): Dialog {
  const { dialog } = recoverDialog(decoder.decode(bytes));
  return dialog.format === null ? upgrade(dialog) : dialog;
}
