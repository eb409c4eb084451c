import { callText, storedCall } from "./block.ts";
import { hasResult } from "./call-json.ts";
import { clean } from "./clean.ts";
import { callId, toolName } from "./ids.ts";
import { incompleteCalls, incompleteOf, incompletePart } from "./incomplete-call.ts";
import { cleanMeta, metaValue } from "./meta.ts";
import type { Call, Dialog, Meta, Part, Section } from "./model.ts";
import { callCount, findCall, lastSection, replaceSection, sectionAt, sectionCount, withSection } from "./sections.ts";
import { headerText, metaText, partText, sectionHeadText, textText } from "./serialise.ts";
import type { LastTextPiece, TextPiece } from "./text-writer.ts";

/**
 * A change of a dialog, and the operations that apply it to the file.
 *
 * - Applied to the file of the dialog before, the operations give `serialiseDialog` of the dialog after. Only while a text is being streamed does the
 *   file lack that text's last LF.
 * - `append` adds a piece. With `open`, the piece can be replaced by that label until a `patch` closes it. Labels are unique among open pieces.
 */
export interface Edit {
  readonly dialog: Dialog;
  readonly ops: readonly EditOp[];
}

export type EditOp =
  | { readonly op: "append"; readonly text: string; readonly open?: string }
  | { readonly op: "patch"; readonly label: string; readonly text: string; readonly close?: boolean };

export interface DialogPiece {
  readonly data: string;
  readonly open?: string;
}

/** The label of the last section's head while that section is being written. */
export const HEAD_LABEL = "head";

export function callLabel(id: string): string {
  return `call ${id}`;
}

/** The value of a section's `Time` line: `<start> - ` while it is being written, `<start> - <end>` afterwards. */
export function timeValue(start: string, end?: string): string {
  return `${start} - ${end ?? ""}`;
}

/** When a section began and ended. `open`: the end time is not written yet. */
export function sectionTime(section: Section): { readonly start: string | null; readonly end: string | null; readonly open: boolean } {
  const value = section.head.find(({ key }) => key === "Time")?.value;
  if (value === undefined) return { start: null, end: null, open: false };
  if (value.endsWith(" - ") || value.endsWith(" -")) return { start: value.slice(0, value.lastIndexOf(" -")), end: null, open: true };
  const dash = value.indexOf(" - ");
  if (dash < 0) return { start: value, end: null, open: false };
  return { start: value.slice(0, dash), end: value.slice(dash + " - ".length), open: false };
}

/** Whether nothing more will be written to a call. */
export function isSettled(call: Call): boolean {
  return call.decision === "denied" || hasResult(call);
}

/** The calls of a dialog, in order. */
export function dialogCalls(dialog: Dialog): Call[] {
  return dialog.sections.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === "call" ? [part.call] : [])));
}

/** A dialog without any message. */
export function newDialog(head: readonly Meta[]): Edit {
  const dialog: Dialog = { format: 1, head: cleanMeta(head.filter(({ key }) => key !== "Format")), parts: [], sections: [] };
  return { dialog, ops: [append(headerText(dialog))] };
}

/** A new section. `open`: `closeHead` will change its head. Its `Time` is then `timeValue(start)`. */
export function openSection(dialog: Dialog, role: Section["role"], head: readonly Meta[], options: { readonly open: boolean }): Edit {
  const section: Section = { role, head: cleanMeta(head), parts: [] };
  return {
    dialog: withSection(dialog, section),
    ops: [append(sectionHeadText(section), options.open ? HEAD_LABEL : undefined)],
  };
}

/** Sets another start time for the last section, whose head is open and stays open. The section is no longer queued. */
export function retimeHead(dialog: Dialog, start: string): Edit {
  const time = { key: "Time", value: timeValue(metaValue(start)) };
  return changeOpenHead(dialog, (head) => withoutQueued(head).map((line) => (line.key === "Time" ? time : line)));
}

/** The key of the line in a section that waits for its turn. See `queuedIn`. */
export const QUEUED = "Queued";

/** Marks the last section, whose head is open and stays open, as waiting for its turn since that time. */
export function queueHead(dialog: Dialog, since: string): Edit {
  return changeOpenHead(dialog, (head) => [...withoutQueued(head), { key: QUEUED, value: metaValue(since) }]);
}

/** Adds lines to the head of the last section, which is open and stays open. */
export function addToHead(dialog: Dialog, lines: readonly Meta[]): Edit {
  return changeOpenHead(dialog, (head) => [...head, ...cleanMeta(lines)]);
}

function changeOpenHead(dialog: Dialog, change: (head: readonly Meta[]) => readonly Meta[]): Edit {
  const last = lastSection(dialog);
  if (last === undefined || !sectionTime(last).open) throw new RangeError("No section is being written");
  const section = { ...last, head: change(last.head) };
  return {
    dialog: withLast(dialog, section),
    ops: [{ op: "patch", label: HEAD_LABEL, text: sectionHeadText(section) }],
  };
}

function withoutQueued(head: readonly Meta[]): Meta[] {
  return head.filter(({ key }) => key !== QUEUED);
}

/**
 * Writes the end into the `Time` of the last section, whose head is open. A section that ends while it is queued keeps its `Queued` line: no provider
 * was asked for it.
 */
export function closeHead(dialog: Dialog, end: string): Edit {
  const last = lastSection(dialog);
  if (last === undefined) throw new RangeError("No section to close in a dialog without sections");
  const { start, open } = sectionTime(last);
  const value = timeValue(start ?? end, metaValue(end));
  const lines = last.parts.every(({ kind }) => kind === "meta") ? last.head : withoutQueued(last.head);
  const head = open ? lines.map((line) => (line.key === "Time" ? { key: "Time", value } : line)) : last.head;
  const section = { ...last, head };
  return {
    dialog: withLast(dialog, section),
    ops: [{ op: "patch", label: HEAD_LABEL, text: sectionHeadText(section), close: true }],
  };
}

/** Adds a whole text at the end. After another text, it becomes part of that text. */
export function addText(dialog: Dialog, text: string): Edit {
  return appendText(dialog, { file: textText(text), text: clean(text), starts: true });
}

/** Adds a piece from a text writer at the end. */
export function appendText(dialog: Dialog, piece: TextPiece | LastTextPiece): Edit {
  let changed = dialog;
  if (piece.text !== "") {
    const last = lastParts(dialog).at(-1);
    if (last?.kind === "text") {
      const text = `${last.text}${piece.starts ? "\n\n" : ""}${piece.text}`;
      changed = withParts(dialog, (parts) => [...parts.slice(0, -1), { kind: "text", text }]);
    } else {
      if (!piece.starts) throw new RangeError("A text continues that was never started");
      changed = withParts(dialog, (parts) => [...parts, { kind: "text", text: piece.text }]);
    }
  }
  const meta = "meta" in piece ? piece.meta : [];
  if (meta.length > 0) changed = withParts(changed, (parts) => [...parts, { kind: "meta", lines: meta }]);
  return { dialog: changed, ops: piece.file === "" ? [] : [append(piece.file)] };
}

/** Adds metadata lines at the end, as their own part. Values are made to fit (see `metaValue`). */
export function addMeta(dialog: Dialog, lines: readonly Meta[]): Edit {
  if (lines.length === 0) return { dialog, ops: [] };
  const part: Part = { kind: "meta", lines: cleanMeta(lines) };
  return { dialog: withParts(dialog, (parts) => [...parts, part]), ops: [append(metaText(part.lines))] };
}

/**
 * Adds a call at the end of the last section, an assistant's. Its name and id are made valid (see `toolName` and `callId`). The returned `call` is
 * what was stored.
 */
export function addCall(dialog: Dialog, call: Call): Edit & { readonly call: Call } {
  const stored = storedCall({ ...call, name: toolName(call.name), id: freshId(dialog, call.id) });
  return {
    call: stored,
    dialog: withParts(dialog, (parts) => [...parts, { kind: "call", call: stored }]),
    ops: [append(callText(stored), isSettled(stored) ? undefined : callLabel(stored.id))],
  };
}

/** Adds a call at the end of the last section when only its name and id are known. Its line stays open until `completeCall` replaces it. */
export function startCall(dialog: Dialog, call: Pick<Call, "id" | "name">): Edit {
  const id = freshId(dialog, call.id);
  const part = incompletePart({ name: call.name, id });
  return { dialog: withParts(dialog, (parts) => [...parts, part]), ops: [append(partText(part), callLabel(id))] };
}

/** The id of the next call. No other call of the dialog has this id, complete or not. */
function freshId(dialog: Dialog, id: string): string {
  const last = lastSection(dialog);
  if (last?.role !== "assistant") throw new RangeError("A call belongs into an assistant's section");
  const begun = incompleteCalls(last);
  const isTaken = (other: string) => begun.some((one) => one.id === other) || findCall(dialog, other) !== null;
  return callId(id, callCount(dialog) + begun.length + 1, isTaken);
}

/**
 * Completes a call of the last section: its block replaces its line and keeps the line's id. `at`: the call's position among the section's calls,
 * from 0.
 */
export function completeCall(dialog: Dialog, at: number, call: Omit<Call, "id">): Edit {
  let seen = -1;
  const place = lastParts(dialog).findIndex((part) => (part.kind === "call" || incompleteOf(part) !== null) && ++seen === at);
  const begun = place < 0 ? null : incompleteOf(lastParts(dialog)[place] ?? { kind: "meta", lines: [] });
  if (begun === null) throw new RangeError(`Call ${at} of the section was not begun, or is complete already`);
  const stored = storedCall({ ...call, name: toolName(call.name), id: begun.id });
  const close = isSettled(stored) ? { close: true } : {};
  return {
    dialog: withParts(dialog, (parts) => parts.with(place, { kind: "call", call: stored })),
    ops: [{ op: "patch", label: callLabel(begun.id), text: callText(stored), ...close }],
  };
}

/** Closes the incomplete calls of the last section. Their lines stay, and nothing more is written to them. */
export function closeIncompleteCalls(dialog: Dialog): Edit {
  const ops = lastParts(dialog).flatMap((part): EditOp[] => {
    const begun = incompleteOf(part);
    return begun === null ? [] : [{ op: "patch", label: callLabel(begun.id), text: partText(part), close: true }];
  });
  return { dialog, ops };
}

export type CallChange = Partial<Pick<Call, "input" | "decision" | "changed" | "started" | "result">>;

/** Changes the block of a call that is not settled. */
export function setCall(dialog: Dialog, id: string, change: CallChange): Edit {
  const found = findCall(dialog, id);
  const section = found && sectionAt(dialog, found.section);
  if (!found || !section) throw new RangeError(`No call ${id} in the dialog`);
  const changed = storedCall({ ...found.call, ...change });
  const parts = section.parts.with(found.part, { kind: "call", call: changed });
  const text = callText(changed);
  return {
    dialog: replaceSection(dialog, found.section, { ...section, parts }),
    ops: [{ op: "patch", label: callLabel(id), text, ...(isSettled(changed) ? { close: true } : {}) }],
  };
}

/**
 * The whole file in pieces. Open pieces are the blocks of unsettled calls and, if the last section is still being written, that section's head and
 * the lines of its incomplete calls. So a dialog that was edited by hand, cut or imported can be rewritten and continued.
 */
export function pieces(dialog: Dialog): DialogPiece[] {
  const out: DialogPiece[] = [];
  let closed = headerText(dialog) + dialog.parts.map(partText).join("");
  const addOpen = (data: string, open: string): void => {
    if (closed !== "") out.push({ data: closed });
    out.push({ data, open });
    closed = "";
  };
  for (const section of dialog.sections) {
    const head = sectionHeadText(section);
    const isWritten = section === dialog.sections.at(-1) && sectionTime(section).open;
    if (isWritten) addOpen(head, HEAD_LABEL);
    else closed += head;
    for (const part of section.parts) {
      const begun = isWritten ? incompleteOf(part) : null;
      if (begun !== null) {
        addOpen(partText(part), callLabel(begun.id));
        continue;
      }
      if (part.kind === "call" && !isSettled(part.call)) addOpen(callText(part.call), callLabel(part.call.id));
      else closed += partText(part);
    }
  }
  if (closed !== "") out.push({ data: closed });
  return out;
}

function append(text: string, open?: string): EditOp {
  return open === undefined ? { op: "append", text } : { op: "append", text, open };
}

function lastParts(dialog: Dialog): readonly Part[] {
  return (lastSection(dialog) ?? dialog).parts;
}

function withLast(dialog: Dialog, section: Section): Dialog {
  return replaceSection(dialog, sectionCount(dialog) - 1, section);
}

function withParts(dialog: Dialog, change: (parts: readonly Part[]) => readonly Part[]): Dialog {
  const last = lastSection(dialog);
  if (last === undefined) return { ...dialog, parts: change(dialog.parts) };
  return withLast(dialog, { ...last, parts: change(last.parts) });
}
