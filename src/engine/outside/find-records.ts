import type { Files } from "../../fs/files.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { Dialog } from "../../dialog/model.ts";
import { type OutsideAgent, outsideOf } from "../../dialog/outside.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import { listDialogs } from "../dialogs/open.ts";

/** The start of all records' slugs, so that no other dialog has to be read. */
export const recordSlug = "outside-";

const RECORD = new RegExp(`^\\d{8}-\\d{6}-${recordSlug}`);

export interface FoundRecord {
  readonly dialogId: string;
  readonly agent: OutsideAgent;
  readonly dialog: Dialog;
}

/** The project's records, newest first. Leaves out records that can't be read. */
export async function findRecords(files: Files): Promise<FoundRecord[]> {
  const found: FoundRecord[] = [];
  for (const { dialogId, filename } of await listDialogs(files)) {
    if (!RECORD.test(dialogId)) continue;
    try {
      const content = await files.read(vibeyPath(filename));
      const { dialog } = recoverDialog(content ? new TextDecoder().decode(content.bytes) : "");
      const agent = outsideOf(dialog);
      if (agent) found.push({ dialogId, agent, dialog });
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
    }
  }
  return found;
}
