import type { Files } from "../../fs/files.ts";
import { nameOf, vibeyPath } from "../../fs/vibey-name.ts";
import type { Status } from "../api.ts";
import { parseDialogFilename } from "../format/name.ts";
import { parseDialog } from "../format/parse.ts";
import { recover } from "../format/recover.ts";
import { serialiseDialog } from "../format/serialise.ts";
import { upgrade } from "../format/upgrade.ts";
import type { State } from "../machine/model.ts";
import type { Live, Revisions } from "./live.ts";

export interface DialogFile {
  readonly dialogId: string;
  readonly filename: string;
  readonly status: Status;
  /** Milliseconds since 1970. */
  readonly mtime: number;
}

/** Every dialog file of the project, newest first. A name that is no dialog's is not one, whatever it holds. */
export async function listDialogs(files: Files): Promise<DialogFile[]> {
  const stats = await files.list("vibey/dialog-");
  return stats
    .flatMap((stat): DialogFile[] => {
      const filename = nameOf(stat.path);
      const parsed = filename === null ? null : parseDialogFilename(filename);
      return filename !== null && parsed ? [{ dialogId: parsed.dialogId, filename, status: parsed.status, mtime: stat.mtime }] : [];
    })
    .toSorted((a, b) => b.mtime - a.mtime || (a.filename < b.filename ? 1 : -1));
}

/**
 * Opens a dialog's file. What the engine would write for it may differ from what is there (edited by hand, torn, of an
 * earlier Vibey); then it is `stale`, and rewritten before it is first appended to, and not before.
 */
export async function openDialog(files: Files, file: DialogFile, revisions: Revisions): Promise<Live | null> {
  const path = vibeyPath(file.filename);
  const content = await files.read(path);
  if (!content) return null;
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parseDialog(recover(text));
  const dialog = parsed.format === null ? upgrade(parsed) : parsed;
  return makeLive({
    id: file.dialogId,
    path,
    version: content.version,
    state: { dialog, status: file.status, turn: null },
    text,
    stale: serialiseDialog(dialog) !== text,
    revisions,
  });
}

export function makeLive(facts: Pick<Live, "id" | "path" | "version" | "text" | "stale" | "revisions"> & { readonly state: State }): Live {
  return {
    ...facts,
    buffered: [],
    work: null,
    gone: false,
    activity: null,
    before: new Map(),
    revision: facts.revisions.next(),
    watchers: new Set(),
    frames: new Set(),
    lock: Promise.resolve(),
    lost() {
      throw new Error("nobody follows this dialog's file");
    },
  };
}
