import { createEffect, createRoot, on } from "solid-js";
import { keep, kept } from "../ui/keep.ts";

export interface OpenOnceParts {
  readonly project: string;
  /** The lists of files are there. */
  readonly loaded: () => boolean;
  readonly hasPages: () => boolean;
  /** A dialog is open beside which there is room, and no question waits: nothing moves under a question. */
  readonly isFree: () => boolean;
  readonly open: () => void;
}

/** Opens the preview when the project gets its first page: once in each project, and not where it had one from the start. */
export function openOnce({ project, loaded, hasPages, isFree, open }: OpenOnceParts): () => void {
  const key = `vibey previewed ${project}`;
  let atStart: boolean | undefined;
  return createRoot((dispose) => {
    createEffect(
      on([loaded, hasPages, isFree], () => {
        if (!loaded()) return;
        atStart ??= hasPages();
        if (atStart || !hasPages() || !isFree() || kept(key) !== null) return;
        keep(key, "yes");
        open();
      }),
    );
    return dispose;
  });
}
