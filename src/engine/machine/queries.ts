import type { Call, Dialog, Section } from "../format/model.ts";

export function callsOf(section: Section): Call[] {
  return section.parts.flatMap((part) => (part.kind === "call" ? [part.call] : []));
}

/** The last response's calls: the ones that a turn waits for. Calls of earlier sections are history, decided or not. */
export function lastCalls(dialog: Dialog): Call[] {
  const section = dialog.sections.findLast((candidate) => candidate.role === "assistant");
  return section ? callsOf(section) : [];
}

/** Nobody has said yes or no, and the engine has not answered it by itself. */
export function isUndecided(call: Call): boolean {
  return call.decision === null && call.result === undefined;
}

/** Allowed and not claimed: it may run. */
export function isRunnable(call: Call): boolean {
  return call.decision === "approved" && call.started === null && call.result === undefined;
}

/** Claimed, and nothing came of it: it may or may not have run. */
export function isLost(call: Call): boolean {
  return call.started !== null && call.result === undefined;
}

/** The value of the last line with this key, header included: what is valid from there on. */
export function lastMeta(dialog: Dialog, key: string): string | null {
  for (const section of dialog.sections.toReversed()) {
    const found = metaOf(section).findLast((line) => line.key === key);
    if (found) return found.value;
  }
  return dialog.head.findLast((line) => line.key === key)?.value ?? null;
}

/** A section's head lines and the lines of its meta parts, in file order. */
export function metaOf(section: Section): { readonly key: string; readonly value: string }[] {
  return [...section.head, ...section.parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))];
}
