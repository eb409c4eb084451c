import { type Accessor, createMemo } from "solid-js";
import { readCostStop } from "../cost/money.ts";
import * as t from "../texts/dialogs.ts";
import type { OpenDialog, Slot } from "./open-dialog.ts";
import type { Head } from "./running.ts";
import { isYours } from "./speaker.ts";
import type { Turn } from "./turn-changes.ts";
import { waitsFor, wantsOf } from "./waits.ts";

/** Whether a person said it. */
export const isUser = (slot: Slot) => isYours(slot.message());

/** What an open dialog does, what it waits for, and what can be done with it now. `deciding`: a decision is on its way to the engine. */
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
  /** What other agents said since doesn't tell how the turn ended. */
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
  /** Calls that the agent has not answered to: denied, or stopped with the turn. */
  const endsWithCalls = () => last()?.parts.some((part) => part.kind === "call") ?? false;
  const resumable = () =>
    isIdle() && costStop() === null && (head().failure !== null || last()?.stop != null || isUnanswered() || endsWithCalls());
  /** The person's word is the last one, and not meant for other agents. */
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
    /** What the command that runs wants to reach, and waits for. */
    networkAsk,
    /** Only a dialog that waits asks for decisions. */
    asked,
    /** The answer that asks for them did not come to its own end. */
    cut: () => last()?.stop != null,
    /** What a done dialog left open: it is not decided. */
    left,
    /** Why one can't write now. */
    reason,
    /** What the project may cost holds the agent back. */
    costStop,
    /** The turn did not come to its own end, so one click lets the agent continue. */
    resumable,
    /** Why it did not. */
    broken: () => (last()?.stop === "interrupted" ? "interrupted" : head().failure === null ? "other" : "failed"),
    nothingYet: () => dialog.slots().length === 0 && dialog.sent() === null,
    waitingFor: () => waitsFor(asked(), last()),
    wants: () => wantsOf(asked()),
    /** Nothing more fits into the model's window, or soon nothing will. */
    full: () => !active() && (head().context?.nearlyFull === true || last()?.stop === "context_window"),
    canContinue: () => !active() && dialog.slots().length > 0 && head().readOnlyReason === null,
    /** What came after the last word of the person's, once the agent is done with it. */
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
