import { isToolName } from "./ids.ts";
import type { Dialog, Meta, Part } from "./model.ts";

export { docAuthority, docAuthorized, docLimits, guardDoc } from "./doc-authority.ts";

/**
 * The tools that run without asking, judged at the part `partIndex` of section `sectionIndex`: of the `Authorized` and `Revoked` lines
 * above it the last one that names the tool decides. A name is exact: no list, no star. Only files of Format 1 grant anything.
 */
export function authorizedAt(dialog: Dialog, sectionIndex: number, partIndex: number): ReadonlySet<string> {
  const names = new Set<string>();
  if (dialog.format !== 1) return names;
  applyLines(names, dialog.head);
  applyParts(names, dialog.parts);
  for (const section of dialog.sections.slice(0, sectionIndex)) {
    applyLines(names, section.head);
    applyParts(names, section.parts);
  }
  const section = dialog.sections[sectionIndex];
  if (section !== undefined) {
    applyLines(names, section.head);
    applyParts(names, section.parts.slice(0, partIndex));
  }
  return names;
}

/** The tools that run without asking from here on. */
export function authorized(dialog: Dialog): ReadonlySet<string> {
  return authorizedAt(dialog, dialog.sections.length, 0);
}

function applyParts(names: Set<string>, parts: readonly Part[]): void {
  for (const part of parts) if (part.kind === "meta") applyLines(names, part.lines);
}

function applyLines(names: Set<string>, lines: readonly Meta[]): void {
  for (const { key, value } of lines) {
    if (!isToolName(value)) continue;
    if (key === "Authorized") names.add(value);
    else if (key === "Revoked") names.delete(value);
  }
}
