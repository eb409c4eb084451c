import { hasResult } from "../../../dialog/call-json.ts";
import type { Call, Dialog, Section } from "../../../dialog/model.ts";
import { sectionTime } from "../../../dialog/edit.ts";
import { isHumans } from "../../../dialog/replies.ts";
import { sectionAt, sectionCount } from "../../../dialog/sections.ts";

export function callsOf(section: Section): Call[] {
  return section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
}

/** The last response's calls: the ones that a turn waits for. Calls of earlier sections are history, decided or not. */
export function lastCalls(dialog: Dialog): Call[] {
  const section = sectionAt(dialog, lastAnswer(dialog));
  return section ? callsOf(section) : [];
}

/** The number of the last response's section; -1 when there is none. */
export function lastAnswer(dialog: Dialog): number {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) if (sectionAt(dialog, at)?.role === "assistant") return at;
  return -1;
}

/** No one has said yes or no, and the engine has not answered it by itself. */
export function isUndecided(call: Call): boolean {
  return call.decision === null && !hasResult(call);
}

/** The user is asked about it: no one has decided, and nothing came of it. An agent outside Vibey can begin a call without asking here. */
export function isAsked(call: Call): boolean {
  return isUndecided(call) && call.started === null;
}

/** Allowed and not claimed: it may run. */
export function isRunnable(call: Call): boolean {
  return call.decision === "approved" && call.started === null && !hasResult(call);
}

/** Claimed, and nothing came of it: it may or may not have run. */
export function isLost(call: Call): boolean {
  return call.started !== null && !hasResult(call);
}

/** The last section that is the dialog's own agent's or the user's: what others said since doesn't tell how the last turn ended. */
export function lastOwn(dialog: Dialog): Section | undefined {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    if (section?.role === "assistant" || (section && isHumans(section))) return section;
  }
  return undefined;
}

/**
 * Why the dialog's last turn ended before its end, as its line says; null: it did not, or the user wrote since. The line stands below the user's
 * words where these came with decisions, and it ended before the provider was asked.
 */
export function stopIn(dialog: Dialog): string | null {
  const last = lastOwn(dialog);
  if (last === undefined || (last.role === "assistant" && sectionTime(last).open)) return null;
  return metaOf(last).findLast(({ key }) => key === "Stop")?.value ?? null;
}

/** Why the dialog's last turn failed, as its `> Stop: error …` says; null when it did not, and once a human wrote since. */
export function failureIn(dialog: Dialog): string | null {
  const stop = stopIn(dialog);
  return stop?.startsWith("error ") === true ? stop.slice("error ".length) : null;
}

/** Whether its last turn broke off, so that it can continue without a word of the user's: it was interrupted, or its run had used its tokens. */
export function isBrokenOff(dialog: Dialog): boolean {
  const stop = stopIn(dialog);
  return stop === "interrupted" || stop?.startsWith("limit tokens ") === true;
}

/** A section's head lines and the lines of its meta parts, in file order. */
export function metaOf(section: Section): { readonly key: string; readonly value: string }[] {
  return [...section.head, ...section.parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))];
}
