import { only } from "../../dialog/meta.ts";
import type { Dialog, Meta } from "../../dialog/model.ts";
import { isDialogId } from "../../dialog/name.ts";
import type { From, TurnsLeft } from "../../dialog/replies.ts";

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

/** The message that a side fork is about. */
export interface SideOf {
  readonly dialogId: string;
  /** The first message is 1. */
  readonly message: number;
  readonly from: From;
  readonly text: string;
  /** The agents that answer each other in it; left out: none do before they are mentioned. */
  readonly turns?: TurnsLeft;
}

export interface ForkedFrom extends ForkPoint {
  readonly dialogId: string;
  /** A discussion of that one message, whose summary goes back to where it stands. */
  readonly side: boolean;
}

/** What a `Forked from` line says; null when it says nothing that can be read. */
export function readForkedFrom(value: string): ForkedFrom | null {
  const [, dialogId, message, how] = /^(\S{1,80}) \| Message: (\d{1,9})( \| Edited| \| Side)?$/.exec(value) ?? [];
  if (dialogId === undefined || message === undefined || !isDialogId(dialogId)) return null;
  return { dialogId, message: Number(message), edited: how === " | Edited", side: how === " | Side" };
}

/** Where a dialog with this header was forked; null: it is no fork. */
export const forkedFrom = (head: readonly Meta[]): ForkedFrom | null =>
  readForkedFrom(head.findLast(({ key }) => key === "Forked from")?.value ?? "");

/** The same of a side fork; null: it is none. A line that stands there twice counts for nothing. */
export function sideForkOf(head: readonly Meta[]): ForkedFrom | null {
  const from = readForkedFrom(only(head, "Forked from") ?? "");
  return from?.side === true && from.message > 0 ? from : null;
}
