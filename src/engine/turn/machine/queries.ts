import { authorizedAt, linesThatAllowed } from "../../../dialog/authority.ts";
import { hasResult } from "../../../dialog/call-json.ts";
import type { Call, Dialog, Section } from "../../../dialog/model.ts";
import { sectionTime } from "../../../dialog/edit.ts";
import { isHumans } from "../../../dialog/replies.ts";
import { findCall, sectionAt, sectionCount } from "../../../dialog/sections.ts";
import type { Status } from "../../../protocol/index.ts";

export function callsOf(section: Section): Call[] {
  return section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
}

/** The calls of the last response, for which a turn waits. Calls of earlier sections are history, decided or not. */
export function lastCalls(dialog: Dialog): Call[] {
  const section = sectionAt(dialog, lastAnswer(dialog));
  return section ? callsOf(section) : [];
}

/** The index of the last response's section. -1 if there is none. */
export function lastAnswer(dialog: Dialog): number {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) if (sectionAt(dialog, at)?.role === "assistant") return at;
  return -1;
}

/** The user hasn't decided, and the engine hasn't answered the call by itself. */
export function isUndecided(call: Call): boolean {
  return call.decision === null && !hasResult(call);
}

/** The user is asked about the call: it is undecided and hasn't started. An agent outside Vibey can start a call without asking here. */
export function isAsked(call: Call): boolean {
  return isUndecided(call) && call.started === null;
}

/** The calls about which the user is asked now. None while a response is being written; while one of its calls runs, the others still wait. */
export function askedCalls({ dialog, status }: { readonly dialog: Dialog; readonly status: Status }): Call[] {
  const section = sectionAt(dialog, lastAnswer(dialog));
  const waits = status === "waiting" || (status === "active" && section !== undefined && !sectionTime(section).open);
  return waits ? lastCalls(dialog).filter(isAsked) : [];
}

/** The call may run: it is approved, not claimed, and has no result. */
export function isRunnable(call: Call): boolean {
  return call.decision === "approved" && call.started === null && !hasResult(call);
}

/** The call is claimed but has no result, so it may or may not have run. */
export function isLost(call: Call): boolean {
  return call.started !== null && !hasResult(call);
}

/** The last section of the dialog's own agent or of the user. What others said later doesn't tell how the last turn ended. */
export function lastOwn(dialog: Dialog): Section | undefined {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    if (section?.role === "assistant" || (section && isHumans(section))) return section;
  }
  return undefined;
}

/**
 * Why the dialog's last turn ended early, as its `Stop` line says. Null if it didn't, or if the user has written since. If the user's message
 * came with decisions and the turn ended before the provider was asked, the line is below that message.
 */
export function stopIn(dialog: Dialog): string | null {
  const last = lastOwn(dialog);
  if (last === undefined || (last.role === "assistant" && sectionTime(last).open)) return null;
  return metaOf(last).findLast(({ key }) => key === "Stop")?.value ?? null;
}

/** Why the dialog's last turn failed, as its `> Stop: error …` line says. Null if it didn't, or if a human has written since. */
export function failureIn(dialog: Dialog): string | null {
  const stop = stopIn(dialog);
  return stop?.startsWith("error ") === true ? stop.slice("error ".length) : null;
}

/** Whether the last turn broke off and can continue without a message from the user: it was interrupted, or its run reached its token limit. */
export const isBrokenOff = (dialog: Dialog): boolean => stopIn(dialog) === "interrupted" || isOutOfTokens(dialog);

/** Whether the last turn ended because its run reached its token limit. */
export const isOutOfTokens = (dialog: Dialog): boolean => stopIn(dialog)?.startsWith("limit tokens ") === true;

/** A section's head lines and the lines of its meta parts, in file order. */
export function metaOf(section: Section): { readonly key: string; readonly value: string }[] {
  return [...section.head, ...section.parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))];
}

/** Whether the call would have run without a decision, because an authorization is above it. */
export function ranUnasked(dialog: Dialog, id: string): boolean {
  const place = findCall(dialog, id);
  return (
    place !== null && (authorizedAt(dialog, place.section, place.part).has(place.call.name) || linesThatAllowed(dialog, id).length > 0)
  );
}
