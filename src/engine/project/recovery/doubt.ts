import { type CopyNote, notesFiles } from "../../../fs/copy/note.ts";
import type { BackupLocation } from "../../../fs/copy/backup-location.ts";
import type { IdbFiles } from "../../../fs/idb.ts";
import type { Revision } from "../../../fs/revision.ts";
import { StorageError } from "../../../fs/storage-error.ts";
import type { Loss } from "./loss.ts";

/** Information about the project that is stored outside its database. */
export interface Witnesses {
  /** Whether a backup may exist. */
  readonly hasCopy: () => Promise<boolean>;
  readonly place: () => Promise<BackupLocation>;
  /** Whether anything was ever noted next to the backup. */
  readonly isNoted: () => Promise<boolean>;
  /** The note next to the backup. Null if there is none or it can't be read. */
  readonly note: () => Promise<CopyNote | null>;
  /** The note in the settings. */
  readonly settingsNote: () => Promise<CopyNote | null>;
}

/**
 * Why the opened database may not be the project's last state. Null if nothing suggests that. Reads two small notes, and the backup itself only
 * if the note next to it is missing.
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

/** Both notes. An unreadable note counts as missing: then the backup itself is checked. */
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
    // The next write will report the failure. Treat the note as missing.
    if (error instanceof StorageError || error instanceof DOMException) return null;
    throw error;
  }
}

async function copyTells({ place, isNoted }: Witnesses): Promise<boolean> {
  const { tellsOfFiles } = await import("../../../fs/copy/found.ts");
  return tellsOfFiles(place, isNoted);
}

/** The revisions of the newest complete copy that has files. None if it can't be checked: the backup writer checks it again. */
async function copiedRevisions({ revisionStatus }: Pick<IdbFiles, "revisionStatus">, { place }: Witnesses): Promise<Revision[]> {
  try {
    const [{ findCopies }, { lastVersion }] = await Promise.all([
      import("../../../fs/copy/found.ts"),
      import("../../../fs/copy/contents.ts"),
    ]);
    const [newest] = (await findCopies(await place(), false)).copies;
    if (!newest || newest.files.length === 0 || revisionStatus(newest.revision) === "settled") return [];
    // A crash may have happened between writing the files and their mark.
    return [newest.revision, { opening: null, version: lastVersion(newest.files) }];
  } catch (error) {
    if (error instanceof StorageError) return [];
    throw error;
  }
}
