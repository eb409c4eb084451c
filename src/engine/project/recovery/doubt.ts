import { type CopyNote, notesFiles } from "../../../fs/copy/note.ts";
import type { BackupLocation } from "../../../fs/copy/backup-location.ts";
import type { IdbFiles } from "../../../fs/idb.ts";
import type { Revision } from "../../../fs/revision.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { Loss } from "./loss.ts";

/** What tells of the project outside of its database. */
export interface Witnesses {
  /** Whether there may be a backup. */
  readonly hasCopy: () => Promise<boolean>;
  readonly place: () => Promise<BackupLocation>;
  /** Whether something was ever noted beside the copy. */
  readonly isNoted: () => Promise<boolean>;
  /** The note beside the copy; null where there is none that can be read. */
  readonly note: () => Promise<CopyNote | null>;
  /** The one in the settings. */
  readonly settingsNote: () => Promise<CopyNote | null>;
}

/**
 * Why what the browser has opened may not be the project as it was last stored; null: nothing says so. Reads two small notes, and the copy
 * itself only where the one beside it is missing.
 */
export async function doubt(
  files: Pick<IdbFiles, "empty" | "emptied" | "damage" | "revisionStatus">,
  witnesses: Witnesses,
): Promise<Loss | null> {
  if (files.damage !== null && !files.empty) return { why: "partial", message: files.damage };
  const { note, settingsNote } = await notesOf(witnesses);
  const notes = [note, settingsNote].filter((each) => each !== null);
  if (files.empty && !files.emptied) {
    const isTold = notes.some(notesFiles) || ((await witnesses.hasCopy()) && (await copyTells(witnesses)));
    if (isTold) return { why: "empty", message: "" };
    return files.damage === null ? null : { why: "partial", message: files.damage };
  }
  const revisions = notes.flatMap((each) => (each.revision === null || !notesFiles(each) ? [] : [each.revision]));
  if (note?.revision == null && (await witnesses.hasCopy())) revisions.push(...(await copiedRevisions(files, witnesses)));
  for (const revision of revisions) {
    const found = files.revisionStatus(revision);
    if (found === "behind" || found === "other") return { why: files.empty ? "empty" : found, message: "" };
  }
  return null;
}

/** Both notes. One that can't be read is none: the copy is asked then. */
export async function notesOf({ hasCopy, note, settingsNote }: Pick<Witnesses, "hasCopy" | "note" | "settingsNote">) {
  const [copyNote, inSettings] = await Promise.all([
    (async () => ((await hasCopy()) ? unlessBroken(note) : null))(),
    unlessBroken(settingsNote),
  ]);
  return { note: copyNote, settingsNote: inSettings };
}

async function unlessBroken(read: () => Promise<CopyNote | null>): Promise<CopyNote | null> {
  try {
    return await read();
  } catch (error) {
    // The next write reports the fault; a witness that is gone says nothing.
    if (error instanceof StorageError || error instanceof DOMException) return null;
    throw error;
  }
}

async function copyTells({ place, isNoted }: Witnesses): Promise<boolean> {
  const { tellsOfFiles } = await import("../../../fs/copy/found.ts");
  return tellsOfFiles(place, isNoted);
}

/** Of the newest whole copy that has files; none where it can't be looked at: what writes it looks again. */
async function copiedRevisions({ revisionStatus }: Pick<IdbFiles, "revisionStatus">, { place }: Witnesses): Promise<Revision[]> {
  try {
    const [{ findCopies }, { lastVersion }] = await Promise.all([
      import("../../../fs/copy/found.ts"),
      import("../../../fs/copy/contents.ts"),
    ]);
    const [newest] = (await findCopies(await place(), false)).copies;
    if (!newest || newest.files.length === 0 || revisionStatus(newest.revision) === "settled") return [];
    // A crash may have come between files and their mark.
    return [newest.revision, { opening: null, version: lastVersion(newest.files) }];
  } catch (error) {
    if (error instanceof StorageError) return [];
    throw error;
  }
}
