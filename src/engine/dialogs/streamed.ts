import { parseDialogFilename } from "../../dialog/name.ts";
import type { FileEvent } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";

/** Streamed text was added to a dialog. Vibey changes no dialog's file in any other way: a step is its agent's, an edit its user's. */
export function isStreamed(event: FileEvent): boolean {
  return event.kind === "changed" && event.by.kind === "vibey" && parseDialogFilename(nameOf(event.path) ?? "") !== null;
}
