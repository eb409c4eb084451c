import type { Dispatched } from "../dialogs/dispatch.ts";
import { inOrder, type Live } from "../dialogs/live.ts";
import type { Summaries } from "../dialogs/summaries.ts";
import type { Dialog } from "../../dialog/model.ts";
import { repliesTo } from "../../dialog/replies.ts";
import type { Reply } from "../turn/machine/model.ts";
import type { NotDelivered } from "./not-delivered.ts";
import { repliesOf, type OpenMention, pendingMentions, openSides, pendingReplies } from "./pending-replies.ts";

/** Whether another agent answers after it, or sums up what was said. */
export const beginsNext = ({ system, order, turns }: OrderedReply): boolean => !system && (order.length > 0 || turns !== null);

export interface DeliveryDeps {
  readonly find: (dialogId: string) => Promise<Live | null>;
  /** Stores the replies, with the dialogs of those that answer next; the caller holds the dialog's order. */
  readonly store: (live: Live, replies: readonly OrderedReply[]) => Promise<Dispatched>;
  /** The dialog's file could not be written. */
  readonly notDelivered: NotDelivered;
  /** Delivers a side fork's pending summary to the original dialog. Returns why it has to be tried later; null: it hasn't. */
  readonly deliverSideSummary: Summaries["deliverSide"];
  readonly report: (error: unknown) => void;
}

/** A reply, and the agents that answer after it, by slug. */
export interface OrderedReply extends Reply, Pick<OpenMention, "order" | "turns" | "message"> {}

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

export function createDelivery({ find, store, notDelivered, deliverSideSummary, report }: DeliveryDeps): Delivery {
  /** Side forks whose summary waits for the agent of a dialog, by that dialog. Forgotten with the engine: one that is opened is looked into. */
  const waiting = new Map<string, Set<string>>();

  async function deliver(dialogId: string): Promise<void> {
    await deliverTo(dialogId);
    const live = await find(dialogId);
    const held = live && (await deliverSideSummary(live));
    if (held?.by === "busy") waiting.set(held.dialogId, (waiting.get(held.dialogId) ?? new Set()).add(dialogId));
    else if (held) await notDelivered(live, "broken", () => begin(dialogId));
  }

  async function deliverTo(dialogId: string): Promise<void> {
    const room = await find(dialogId);
    if (!room || room.state.dialog.format !== 2) return;
    const replies: Reply[] = [];
    for (const mention of pendingMentions(room.state.dialog)) {
      const task = await find(mention.dialogId);
      // Of another format its lines say nothing of agents: what came with an import brings nothing.
      if (task?.state.dialog.format !== 2 || repliesTo(task.state.dialog.head)?.dialogId !== dialogId) continue;
      replies.push(...repliesOf(task.state.dialog, mention));
    }
    // Reading was asynchronous; the dialog may have been reopened as another `Live`.
    const live = replies.length === 0 ? null : await find(dialogId);
    if (!live) return;
    await inOrder(live, async () => {
      if (live.gone) return;
      const due = ordered(live.state.dialog, pendingReplies(live.state.dialog, replies));
      if (due.length === 0) return;
      // Store replies that start another dialog one at a time, so that two never claim the same id.
      const batches = due.some(beginsNext) ? due.map((one) => [one]) : [due];
      for (const batch of batches) {
        // Refused while its own agent works or asks: they come when that has ended.
        const done = await store(live, batch);
        if (!done.ok && "failure" in done) await notDelivered(live, done.failure.kind, () => begin(dialogId));
        if (!done.ok) return;
      }
    });
  }

  /** The replies to what the dialog asks now: the user can have edited it since, so that its messages have other numbers. */
  function ordered(dialog: Dialog, replies: readonly Reply[]): OrderedReply[] {
    const mentions = new Map(pendingMentions(dialog).map((mention) => [mention.dialogId, mention]));
    return replies.flatMap((reply) => {
      const mention = mentions.get(reply.from.dialogId);
      if (!mention) return [];
      const { order, turns, message } = mention;
      return [{ ...reply, order, turns, message }];
    });
  }
  const begin = (dialogId: string): Promise<void> => deliver(dialogId).catch(report);
  return {
    rested({ id, state: { dialog } }) {
      const sides = waiting.get(id) ?? [];
      waiting.delete(id);
      for (const side of sides) void begin(side);
      if (dialog.format !== 2) return;
      void begin(id);
      const to = repliesTo(dialog.head)?.dialogId;
      if (to !== undefined) void begin(to);
    },
    // Not the dialog that it replies to: that one opens this one to look for an answer, and so on without end.
    opened({ id, state: { dialog } }) {
      if (dialog.format !== 2) return;
      void begin(id);
      for (const side of openSides(dialog)) find(side).catch(report);
    },
  };
}
