import { only } from "../../dialog/meta.ts";
import type { Dialog, Meta } from "../../dialog/model.ts";
import { isDialogId } from "../../dialog/name.ts";
import type { From, TurnsLeft } from "../../dialog/replies.ts";

/** The message at which a dialog is forked. */
export interface ForkPoint {
  /** The number of the message, from 1. */
  readonly message: number;
  /** The user rewrites this message, so only the messages before it are copied. */
  readonly edited: boolean;
}

/** The part of another dialog that a new dialog copies. */
export interface Fork extends ForkPoint {
  readonly dialogId: string;
  readonly dialog: Dialog;
}

/** The message that a side fork discusses. */
export interface SideOf {
  readonly dialogId: string;
  /** The number of the message, from 1. */
  readonly message: number;
  readonly from: From;
  readonly text: string;
  /** The agents that answer each other in it. Left out if none do until they are mentioned. */
  readonly turns?: TurnsLeft;
}

export interface ForkedFrom extends ForkPoint {
  readonly dialogId: string;
  /** Whether it is a discussion of that one message. Its summary is delivered to the message's dialog. */
  readonly side: boolean;
}

/** Parses a `Forked from` line. Null if it can't be read. */
export function readForkedFrom(value: string): ForkedFrom | null {
  const [, dialogId, message, how] = /^(\S{1,80}) \| Message: (\d{1,9})( \| Edited| \| Side)?$/.exec(value) ?? [];
  if (dialogId === undefined || message === undefined || !isDialogId(dialogId)) return null;
  return { dialogId, message: Number(message), edited: how === " | Edited", side: how === " | Side" };
}

/** Where a dialog with this header was forked. Null if it is not a fork. */
export const forkedFrom = (head: readonly Meta[]): ForkedFrom | null =>
  readForkedFrom(head.findLast(({ key }) => key === "Forked from")?.value ?? "");

/** The same for a side fork. Null if it is none. A line that appears twice is ignored. */
export function sideForkOf(head: readonly Meta[]): ForkedFrom | null {
  const from = readForkedFrom(only(head, "Forked from") ?? "");
  return from?.side === true && from.message > 0 ? from : null;
}
