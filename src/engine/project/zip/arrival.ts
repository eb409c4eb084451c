import { isOwnFormat } from "../../../dialog/agent.ts";
import type { Path } from "../../../fs/path.ts";
import { nameOf, vibeyPath } from "../../../fs/vibey-name.ts";
import { cleanCharacters } from "../../../dialog/clean.ts";
import { addMeta, closeHead, dialogCalls, sectionTime } from "../../../dialog/edit.ts";
import { withImported } from "../../../dialog/imported-messages.ts";
import { inactiveDoc } from "../../../dialog/imported-doc.ts";
import type { Dialog } from "../../../dialog/model.ts";
import { isRecord } from "../../../dialog/outside.ts";
import { dialogFilename, parseDialogFilename } from "../../../dialog/name.ts";
import { recoverDialog, withLastLine } from "../../../dialog/recover.ts";
import { lastSection, sectionCount } from "../../../dialog/sections.ts";
import { serialiseDialog } from "../../../dialog/serialise.ts";
import { hasLinks, imported, inactiveLines } from "../../../dialog/upgrade.ts";
import { isMainDoc } from "../../../protocol/write-rules.ts";
import { askingAgent } from "./arriving-agent.ts";

/** A file of an archive as it enters a project. Nothing in it runs or counts as the user's permission. */
export interface Arrival {
  readonly path: Path;
  readonly bytes: Uint8Array;
  /** When it was last written, in milliseconds since 1970. */
  readonly mtime: number;
  /** The original lines that had an effect before and have none now. */
  readonly inactive: readonly string[];
  /** How many approved calls that had not run need a decision again. */
  readonly undecided: number;
  /** It was a dialog with an active agent. */
  readonly wasActive: boolean;
}

export interface ArrivalOptions {
  /** The user has seen the lines and accepts them. */
  readonly accept: boolean;
  /** When the file was last written, in milliseconds since 1970. */
  readonly mtime: number;
}

/** A file that needs no change stays the same, byte for byte. */
export function arrive(path: Path, bytes: Uint8Array, { accept, mtime }: ArrivalOptions): Arrival {
  const same: Arrival = { path, bytes, mtime, inactive: [], undecided: 0, wasActive: false };
  if (isMainDoc(path)) {
    const doc = inactiveDoc(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    if (doc.lines.length === 0) return same;
    return { ...same, inactive: doc.lines, ...(accept ? {} : { bytes: new TextEncoder().encode(doc.text) }) };
  }
  const name = parseDialogFilename(nameOf(path) ?? "");
  const agent = name ? null : askingAgent(path, bytes);
  if (agent !== null) return { ...same, inactive: agent.lines, ...(accept ? {} : { bytes: new TextEncoder().encode(agent.text) }) };
  if (!name) return same;
  const wasActive = name.status === "active";
  const waiting = wasActive ? vibeyPath(dialogFilename(name.dialogId, "waiting")) : path;
  // Check the text as an editor would save it: a CR, or a second byte order mark, can hide lines that the next save would reveal.
  const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const read = withLastLine(cleanCharacters(raw).replace(/^\uFEFF+/, ""));
  const isClean = read === raw;
  const { dialog } = recoverDialog(read);
  // In another format, nothing has an effect, and the dialog is never continued as it is. A record says whose it is, and what its agent may do.
  if (!isOwnFormat(dialog.format) && !isRecord(dialog))
    return { ...same, path: waiting, wasActive, ...(isClean ? {} : { bytes: new TextEncoder().encode(read) }) };
  const inactive = inactiveLines(dialog);
  const changed = imported(dialog, accept ? "as they are" : "inactive");
  const undecided = countApproved(dialog) - countApproved(changed);
  const isUnchanged = undecided === 0 && !hasLinks(dialog) && (accept || inactive.length === 0);
  if (isClean && !wasActive && isUnchanged) return { ...same, inactive };
  const text = serialiseDialog(wasActive && !isRecord(dialog) ? interrupted(changed, new Date(mtime).toISOString()) : changed);
  return { path: waiting, bytes: new TextEncoder().encode(text), mtime, inactive, undecided, wasActive };
}

/** The bytes to store if the user doesn't accept the import: a dialog notes how many of its messages were imported. */
export function storedBytes({ path, bytes }: Pick<Arrival, "path" | "bytes">): Uint8Array {
  if (parseDialogFilename(nameOf(path) ?? "") === null) return bytes;
  const file = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const marked = withImported(file, sectionCount(recoverDialog(file).dialog));
  return marked === file ? bytes : new TextEncoder().encode(marked);
}

/** The dialog as the next engine would repair it after its engine ended. */
function interrupted(dialog: Dialog, time: string): Dialog {
  const last = lastSection(dialog);
  const closed = last && sectionTime(last).open ? closeHead(dialog, time).dialog : dialog;
  return addMeta(closed, [{ key: "Stop", value: "interrupted" }]).dialog;
}

function countApproved(dialog: Dialog): number {
  return dialogCalls(dialog).filter(({ decision, started, result }) => decision === "approved" && started === null && result === undefined)
    .length;
}
