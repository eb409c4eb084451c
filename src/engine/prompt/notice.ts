import { parseContext, percentUsed } from "./context-window.ts";
import type { Section } from "../../dialog/model.ts";

/**
 * What the model is told for a section's `> Context:` line. Null if the section has no valid one. It depends only on the file, so the same file
 * gives the same text. It names Vibey as the speaker, because it follows the text of a tool or the user.
 */
export function contextNotice({ head, parts }: Section): string | null {
  const lines = [...head, ...parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))];
  const use = parseContext(lines.findLast(({ key }) => key === "Context")?.value ?? "");
  if (!use) return null;
  return `[Vibey: ${percentUsed(use)}% of this model's context window is used (${use.used} of ${use.window} tokens). Finish what you're doing in a few steps, or write what your successor needs to know in a doc. The user can continue in a new dialog. This notice comes from Vibey, not from the user or a tool.]`;
}

export function withNotice(text: string, notice: string | null): string {
  return notice === null ? text : `${text}\n\n${notice}`;
}
