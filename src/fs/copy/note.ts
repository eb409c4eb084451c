import { isRevision, type Revision, textSum } from "../revision.ts";

/**
 * A record about a project outside its database and its backup: the revision up to which the backup was written, and what it contained then. The note
 * is written before the backup, so it is never older.
 */
export interface CopyNote {
  /** Null: something was stored, but no backup was made yet. */
  readonly revision: Revision | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly docs: number;
  readonly dialogs: number;
  /** Files of the deed. */
  readonly files: number;
  /** Bytes of all files. */
  readonly bytes: number;
}

/** Whether an empty project with this note has lost its files. */
export const notesFiles = ({ revision, docs, dialogs, files }: CopyNote): boolean => revision === null || docs + dialogs + files > 0;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** Null if it is invalid. */
export function parseNote(value: unknown): CopyNote | null {
  if (typeof value !== "object" || value === null) return null;
  const { revision, at, docs, dialogs, files, bytes }: Partial<Record<keyof CopyNote, unknown>> = value;
  if (revision !== null && !isRevision(revision)) return null;
  if (typeof at !== "number" || ![docs, dialogs, files, bytes].every(isCount)) return null;
  return { revision, at, docs: Number(docs), dialogs: Number(dialogs), files: Number(files), bytes: Number(bytes) };
}

/** A note as the text of a file, with a checksum. */
export function noteText(note: CopyNote): string {
  const text = JSON.stringify(note);
  return `${textSum(text).join(" ")} ${text}`;
}

/** Null: the file contains no note, or an incomplete one. */
export function readNoteText(text: string): CopyNote | null {
  const [, a, b, json] = /^(\d+) (\d+) (\{.*\})$/s.exec(text) ?? [];
  if (json === undefined) return null;
  const sum = textSum(json);
  return a === String(sum[0]) && b === String(sum[1]) ? parseNote(JSON.parse(json)) : null;
}
