import { readDialog } from "../api/calls.ts";
import type { Notices } from "../shell/notices.ts";

/** Copies the dialog's file; null when it was copied, else why not. */
export async function copyMarkdown(dialogId: string, notices: Notices): Promise<string | null> {
  const answer = await readDialog(dialogId);
  if (!answer.ok) return `Not copied: ${answer.message}`;
  try {
    await navigator.clipboard.writeText(answer.value.markdown);
  } catch (error) {
    return `Not copied: the browser refused (${error instanceof Error ? error.message : String(error)}).`;
  }
  notices.announce("Copied as markdown.");
  return null;
}
