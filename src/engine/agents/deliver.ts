import type { Dispatched } from "../dialogs/dispatch.ts";
import { inOrder, type Live } from "../dialogs/live.ts";
import type { Summaries } from "../dialogs/summaries.ts";
import type { Dialog } from "../../dialog/model.ts";
import { repliesTo } from "../../dialog/replies.ts";
import type { Reply } from "../turn/machine/model.ts";
import type { NotDelivered } from "./not-delivered.ts";
import { repliesOf, type OpenMention, pendingMentions, openSides, pendingReplies } from "./pending-replies.ts";

/** Whether another agent answers next, or sums up the conversation. */
export const beginsNext = ({ system, order, turns }: OrderedReply): boolean => !system && (order.length > 0 || turns !== null);

export interface DeliveryDeps {
  readonly find: (dialogId: string) => Promise<Live | null>;
  /** Stores the replies, with the dialogs of the agents that answer next. The caller runs in the dialog's order (`inOrder`). */
  readonly store: (live: Live, replies: readonly OrderedReply[]) => Promise<Dispatched>;
  /** Called if the dialog's file could not be written. */
  readonly notDelivered: NotDelivered;
  /** Delivers a side fork's pending summary to the original dialog. Returns why it has to be tried later, or null if it doesn't. */
  readonly deliverSideSummary: Summaries["deliverSide"];
  readonly report: (error: unknown) => void;
}

/** A reply, and the slugs of the agents that answer after it. */
export interface OrderedReply extends Reply, Pick<OpenMention, "order" | "turns" | "message"> {}

/**
 * Delivers the answers of agents to the dialogs that mentioned them. Each time, it compares both files: an answer is pending while the agent's
 * dialog has it and the other dialog doesn't. So each answer is delivered exactly once, even if the engine ends in between.
 */
export interface Delivery {
  /** A turn of this dialog has ended: delivers its answer to the dialog that mentioned it, and pending answers to this dialog. */
  rested(live: Live): void;
  /** This dialog was opened and no turn is active: delivers pending answers to it. */
  opened(live: Live): void;
}

export function createDelivery({ find, store, notDelivered, deliverSideSummary, report }: DeliveryDeps): Delivery {
  /**
   * The side forks whose summaries wait for a busy dialog, by the id of that dialog. Kept only in memory: opening a dialog checks its side forks
   * again.
   */
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
      // In another format, the header lines don't describe agents. So an imported dialog delivers nothing.
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
        // Refused while the dialog's own agent works or asks. The replies are delivered when that has ended.
        const done = await store(live, batch);
        if (!done.ok && "failure" in done) await notDelivered(live, done.failure.kind, () => begin(dialogId));
        if (!done.ok) return;
      }
    });
  }

  /** The replies to the current mentions of the dialog. The user may have edited the dialog since, which changes the numbers of its messages. */
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
    // Don't open the dialog that this one replies to: it would open this one to look for an answer, in an endless loop.
    opened({ id, state: { dialog } }) {
      if (dialog.format !== 2) return;
      void begin(id);
      for (const side of openSides(dialog)) find(side).catch(report);
    },
  };
}
