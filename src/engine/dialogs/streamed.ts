import { parseDialogFilename } from "../../dialog/name.ts";
import type { FileEvent } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";

/** Whether the event is streamed text. Vibey itself changes a dialog's file in no other way: a step is written by the agent, an edit by the user. */
export function isStreamed(event: FileEvent): boolean {
  return event.kind === "changed" && event.by.kind === "vibey" && parseDialogFilename(nameOf(event.path) ?? "") !== null;
}
