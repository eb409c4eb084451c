import type { Dialog } from "../../dialog/model.ts";
import { isDialogId } from "../../dialog/name.ts";

/** Where a dialog is forked. */
export interface ForkPoint {
  /** The first message is 1. */
  readonly message: number;
  /** The user says message `message` again: what is taken along ends before it. */
  readonly edited: boolean;
}

/** What a new dialog takes along from another one. */
export interface Fork extends ForkPoint {
  readonly dialogId: string;
  readonly dialog: Dialog;
}

/** What a `Forked from` line says; null when it says nothing that can be read. */
export function readForkedFrom(value: string): (ForkPoint & { readonly dialogId: string }) | null {
  const [, dialogId, message, edited] = /^(\S{1,80}) \| Message: (\d{1,9})( \| Edited)?$/.exec(value) ?? [];
  if (dialogId === undefined || message === undefined || !isDialogId(dialogId)) return null;
  return { dialogId, message: Number(message), edited: edited !== undefined };
}
