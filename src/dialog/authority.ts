import { type AllowingLine, allowedCalls, type Grants, grantsOf, revokedPatterns } from "./grants.ts";
import type { Dialog } from "./model.ts";
import { behind, findCall, sectionAt, standing, standingBefore } from "./sections.ts";
import { allowedTools, revokedTools } from "./tool-words.ts";

export { docAuthority, docAuthorized, docLimits, docRevoked, guardDoc } from "./doc-authority.ts";

/**
 * The tools that run without asking, at part `partIndex` of section `sectionIndex`: the last `Authorized` or `Revoked` line above it that names the
 * tool decides. A name must match exactly: no list, no star. Only files of formats 1 and 2 grant anything.
 */
export function authorizedAt(dialog: Dialog, sectionIndex: number, partIndex: number): ReadonlySet<string> {
  const before = standingBefore(dialog, sectionIndex);
  const section = sectionAt(dialog, sectionIndex);
  if (section === undefined) return allowedTools(before.authorized);
  return allowedTools(behind(before, section.head, section.parts.slice(0, partIndex), dialog.format).authorized);
}

/** The tools that run without asking after the last section. */
export function authorized(dialog: Dialog): ReadonlySet<string> {
  return allowedTools(standing(dialog).authorized);
}

/** What lines with patterns allow after the last section. */
export function grants(dialog: Dialog): Grants {
  return grantsOf(standing(dialog).patterns);
}

/** The tools and patterns whose last line revokes them. */
export function revoked(dialog: Dialog): ReadonlySet<string> {
  const { authorized: tools, patterns } = standing(dialog);
  return new Set([...revokedTools(tools), ...revokedPatterns(patterns)]);
}

/** The lines with patterns that allowed a call, according to its section. Empty if none did. */
export function linesThatAllowed(dialog: Dialog, callId: string): readonly AllowingLine[] {
  const place = findCall(dialog, callId);
  const section = place === null ? undefined : sectionAt(dialog, place.section);
  if (place?.call.decision !== "approved" || section === undefined) return [];
  const lines = section.parts.flatMap((part) => (part.kind === "meta" ? part.lines : []));
  return allowedCalls(lines).get(callId) ?? [];
}
