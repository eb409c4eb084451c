import { createRoot } from "solid-js";
import { keep, kept } from "../ui/keep.ts";
import { onChange } from "../ui/on-change.ts";

export interface OpenOnceParts {
  readonly project: string;
  /** Whether the file lists have loaded. */
  readonly loaded: () => boolean;
  readonly hasPages: () => boolean;
  /** Whether a dialog is open with room beside it, and no question is waiting: nothing may move below a question. */
  readonly isFree: () => boolean;
  readonly open: () => void;
}

/** Opens the preview when the project gets its first page. Only once per project, and not if it had a page from the start. */
export function openOnce({ project, loaded, hasPages, isFree, open }: OpenOnceParts): () => void {
  const key = `vibey previewed ${project}`;
  let atStart: boolean | undefined;
  return createRoot((dispose) => {
    onChange([loaded, hasPages, isFree], () => {
      if (!loaded()) return;
      atStart ??= hasPages();
      if (atStart || !hasPages() || !isFree() || kept(key) !== null) return;
      keep(key, "yes");
      open();
    });
    return dispose;
  });
}
