import { callText } from "./block.ts";
import { clean } from "./clean.ts";
import { escapeText } from "./escape.ts";
import { metaLines } from "./meta.ts";
import type { Dialog, Meta, Part, Section } from "./model.ts";

/**
 * Writes a dialog as its file: the pieces below, in order. Texts and values can't add structural lines: those depend only on the dialog's shape. A
 * dialog of an earlier Vibey (`format: null`) keeps its format. See `upgrade`.
 */
export function serialiseDialog(dialog: Dialog): string {
  return headerText(dialog) + dialog.parts.map(partText).join("") + dialog.sections.map(sectionText).join("");
}

/** `# Dialog` and the lines directly under it. */
export function headerText(dialog: Pick<Dialog, "format" | "head">): string {
  const format = dialog.format === null ? "" : `> Format: ${dialog.format}\n`;
  // A `Format` entry would give authority to an earlier Vibey's file.
  return `# Dialog\n${format}${metaLines(dialog.head.filter(({ key }) => key !== "Format"))}`;
}

/** A heading and the lines directly under it, with the blank line before. */
export function sectionHeadText(section: Pick<Section, "role" | "head">): string {
  return `\n## ${section.role === "user" ? "User" : "Assistant"}\n${metaLines(section.head)}`;
}

/** Metadata lines as their own part, with the blank line before. */
export function metaText(lines: readonly Meta[]): string {
  return lines.length === 0 ? "" : `\n${metaLines(lines)}`;
}

/** A text, cleaned and escaped, with the blank line before. Empty if the text is blank. */
export function textText(text: string): string {
  const cleaned = clean(text);
  return cleaned === "" ? "" : `\n${escapeText(cleaned)}\n`;
}

export function partText(part: Part): string {
  if (part.kind === "text") return textText(part.text);
  return part.kind === "meta" ? metaText(part.lines) : callText(part.call);
}

function sectionText(section: Section): string {
  return sectionHeadText(section) + section.parts.map(partText).join("");
}

export { metaValue } from "./meta.ts";
