import { type Accessor, createMemo } from "solid-js";
import { readCostStop } from "../cost/money.ts";
import * as t from "../texts/dialogs.ts";
import type { OpenDialog, Slot } from "./open-dialog.ts";
import type { Head } from "./running.ts";
import { isYours } from "./speaker.ts";
import type { Turn } from "./turn-changes.ts";
import { waitsFor, wantsOf } from "./waits.ts";

/** Whether the user wrote the message. */
export const isUser = (slot: Slot) => isYours(slot.message());

/** What an open dialog is doing, what it waits for, and what can be done with it now. `deciding`: a decision is on its way to the engine. */
export function createDialogState(dialog: OpenDialog, head: Accessor<Head>, deciding: Accessor<boolean>) {
  const queued = createMemo(() => {
    const { activity } = head();
    return activity?.kind === "queued" ? activity : null;
  });
  const retry = createMemo(() => {
    const { activity } = head();
    return activity?.kind === "retrying" ? activity : null;
  });
  const active = () => head().status === "active" || queued() !== null;
  const networkAsk = createMemo(() => {
    const { activity } = head();
    return activity?.kind === "running" && activity.ask !== null ? { callId: activity.callId, ask: activity.ask } : null;
  });
  /** Skips messages from other agents: they don't show how the turn ended. */
  const last = () =>
    dialog
      .slots()
      .findLast((slot) => (slot.message().from?.kind ?? "human") === "human")
      ?.message();
  const asked = createMemo(() => (head().status === "waiting" ? dialog.pending() : []));
  const left = createMemo(() => (head().status === "done" ? dialog.pending() : []));

  const reason = createMemo(() => {
    if (head().readOnlyReason !== null) return head().readOnlyReason;
    if (asked().length > 0) return deciding() ? t.decisionOnItsWay : t.decideFirst;
    if (queued() !== null) return t.turnQueued;
    if (networkAsk() !== null) return t.hostFirst;
    return active() ? t.agentAtWork : null;
  });
  const isIdle = () => head().status === "waiting" && reason() === null && dialog.sent() === null;
  const costStop = createMemo(() => (isIdle() ? readCostStop(last()?.stop ?? null) : null));
  /** Whether the last message ends with calls that the agent has not responded to: they were denied, or the turn was stopped. */
  const endsWithCalls = () => last()?.parts.some((part) => part.kind === "call") ?? false;
  const resumable = () =>
    isIdle() && costStop() === null && (head().failure !== null || last()?.stop != null || isUnanswered() || endsWithCalls());
  /** Whether the user's message is the last one and not meant for other agents. */
  const isUnanswered = () => {
    const message = last();
    return message !== undefined && isYours(message) && message.mentions === undefined && head().room === null;
  };

  const lastSaid = () => dialog.slots().findLast(isUser)?.message().start ?? null;
  const turn = createMemo((): Turn | null => {
    const since = active() ? null : lastSaid();
    return since === null ? null : { dialogId: head().dialogId, since };
  });

  return {
    queued,
    retry,
    /** An agent works here, or waits for its turn. */
    active,
    /** The host that the running command wants to connect to and waits for. */
    networkAsk,
    /** The calls that need a decision. Only a waiting dialog has them. */
    asked,
    /** Whether the response with the calls was cut short. */
    cut: () => last()?.stop != null,
    /** The undecided calls of a done dialog. */
    left,
    /** Why nothing can be written now; null if writing is possible. */
    reason,
    /** The spending limit that stopped the agent; null if none did. */
    costStop,
    /** Whether the turn was cut short, so that one click lets the agent continue. */
    resumable,
    /** Why the turn was cut short. */
    broken: () => (last()?.stop === "interrupted" ? "interrupted" : head().failure === null ? "other" : "failed"),
    nothingYet: () => dialog.slots().length === 0 && dialog.sent() === null,
    waitingFor: () => waitsFor(asked(), last()),
    wants: () => wantsOf(asked()),
    /** Whether the model's context window is full or nearly full. */
    full: () => !active() && (head().context?.nearlyFull === true || last()?.stop === "context_window"),
    canContinue: () => !active() && dialog.slots().length > 0 && head().readOnlyReason === null,
    /** The messages after the user's last one, once the agent is done. */
    lastTurn: () => (active() ? [] : dialog.slots().slice(dialog.slots().findLastIndex(isUser) + 1)).map((slot) => slot.message()),
    /** The dialog that a summary of this fork is for; null: there is none. */
    summaryFor: () => {
      const messages = dialog.exchanges();
      const words = messages.findLast((message) => isYours(message) && message.resolves !== undefined);
      const answers = messages.some(({ from, system }) => {
        const isAnswer = from?.kind === "agent" && system === undefined;
        return isAnswer && words?.mentions?.some(({ dialogId }) => dialogId === from.dialogId) === true;
      });
      return answers && isIdle() && head().forkedFrom?.side !== true ? (words?.resolves ?? null) : null;
    },
    /** The last turn, once it has ended. */
    turn,
  } as const;
}
export type DialogState = ReturnType<typeof createDialogState>;
