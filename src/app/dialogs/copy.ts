import { readDialog } from "../model/api/calls.ts";
import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/dialogs.ts";

/** Copies the dialog's file. Resolves to null, or to why it failed. */
export async function copyMarkdown(dialogId: string, notices: Notices): Promise<string | null> {
  const answer = await readDialog(dialogId);
  return answer.ok ? copyText(answer.value.markdown, notices) : t.notCopied(answer.message);
}

/** Copies Markdown. Resolves to null, or to why it failed. */
export async function copyText(markdown: string, notices: Notices): Promise<string | null> {
  try {
    await navigator.clipboard.writeText(markdown);
  } catch (error) {
    return t.browserRefusedCopy(error instanceof Error ? error.message : String(error));
  }
  notices.announce(t.copied);
  return null;
}
