import type { Dispatched } from "../dialogs/dispatch.ts";
import { inOrder, type Live } from "../dialogs/live.ts";
import { repliesTo } from "../../dialog/replies.ts";
import type { Event, Reply } from "../turn/machine/model.ts";
import { answersOf, openMentions, repliesInto, undelivered } from "./answers.ts";

export interface DeliveryDeps {
  readonly find: (dialogId: string) => Promise<Live | null>;
  /** Stores the event; the caller holds the dialog's order. */
  readonly act: (live: Live, event: Event) => Promise<Dispatched>;
  /** The dialog's file could not be written. */
  readonly lost: (live: Live, why: string) => Promise<void>;
  readonly now: () => string;
  readonly report: (error: unknown) => void;
}

/**
 * Brings what agents answered to the dialogs in which they were mentioned. What is owed is read from both files each time, so a reply is
 * delivered once, whenever the engine ended: it is owed while the one file has it and the other does not.
 */
export interface Delivery {
  /** A turn of this dialog is over: it may owe another one an answer, and may take those that wait for it. */
  rested(live: Live): void;
  /** Nothing continues in this dialog, which was just opened: it may take answers that wait for it. */
  opened(live: Live): void;
}

export function createDelivery({ find, act, lost, now, report }: DeliveryDeps): Delivery {
  async function deliverTo(dialogId: string): Promise<void> {
    const room = await find(dialogId);
    if (!room || room.state.dialog.format !== 2) return;
    const replies: Reply[] = [];
    for (const mention of openMentions(room.state.dialog)) {
      const task = await find(mention.dialogId);
      if (task && repliesInto(task.state.dialog, dialogId)) replies.push(...answersOf(task.state.dialog, mention));
    }
    // Reading the others took a while: another `Live` may stand for it now.
    const live = replies.length === 0 ? null : await find(dialogId);
    if (!live) return;
    await inOrder(live, async () => {
      if (live.gone) return;
      const due = undelivered(live.state.dialog, replies);
      if (due.length === 0) return;
      // Refused while its own agent works or asks: they come when that has ended.
      const done = await act(live, { type: "deliver", replies: due, time: now() });
      if (!done.ok && "failure" in done) await lost(live, done.failure.kind);
    });
  }

  const begin = (dialogId: string): void => void deliverTo(dialogId).catch(report);
  return {
    rested({ id, state: { dialog } }) {
      if (dialog.format !== 2) return;
      begin(id);
      const to = repliesTo(dialog.head)?.dialogId;
      if (to !== undefined) begin(to);
    },
    // Not the dialog that it replies to: that one opens this one to look for an answer, and so on without end.
    opened: ({ id, state: { dialog } }) => (dialog.format === 2 ? begin(id) : undefined),
  };
}
