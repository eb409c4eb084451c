import { labelled } from "../prompt/label.ts";
import { ranWith } from "../../dialog/call-json.ts";
import { isJsonObject } from "../../dialog/json.ts";
import { dialogCalls } from "../../dialog/edit.ts";
import type { Dialog } from "../../dialog/model.ts";
import { fromOf, removedIn } from "../../dialog/replies.ts";
import { agentOf } from "../../dialog/agent.ts";
import { type Definition, definitionKnown, isApplied } from "../../dialog/redefined.ts";
import { runOf } from "../../dialog/run.ts";
import { fileName } from "../scheduler/guardrails.ts";
import type { Runs } from "../scheduler/runs.ts";
import type { Dispatched } from "../dialogs/dispatch.ts";
import { inOrder, type Live } from "../dialogs/live.ts";
import type { Signal } from "../turn/machine/model.ts";
import type { NotDelivered } from "./not-delivered.ts";
import { newDefinition } from "./redefined.ts";
import { isBrokenOff } from "../turn/machine/queries.ts";
import { signalParent, staysAsleep } from "../turn/tools/signal-parent.ts";

/** The signals that an agent has sent to the agent that started it, read from its dialog: the successful calls of `signal_parent`. */
export function signalsOf(dialogId: string, dialog: Dialog): Signal[] {
  const own = runOf(dialog.head);
  const slug = agentOf(dialog)?.slug;
  if (own === null || slug === undefined) return [];
  return dialogCalls(dialog).flatMap((call): Signal[] => {
    const { id, name, result } = call;
    const { message } = ranWith(call);
    if (name !== signalParent.name || typeof message !== "string" || !isJsonObject(result) || result["success"] !== true) return [];
    const text = labelled(`Signal from ${fileName(own.file)}`, message);
    return [{ from: { kind: "signal", dialogId, call: id, agent: slug }, text }];
  });
}

/** The signals that are not in the dialog yet and that the user hasn't removed from it. */
export function undeliveredSignals({ sections }: Pick<Dialog, "sections">, signals: readonly Signal[]): Signal[] {
  const there = new Set<string>();
  for (const from of [...sections.map(fromOf), ...removedIn({ sections })]) {
    if (from?.kind === "signal") there.add(`${from.dialogId} ${from.call}`);
  }
  return signals.filter(({ from }) => !there.has(`${from.dialogId} ${from.call}`));
}

export interface SignalDeps {
  readonly find: (dialogId: string) => Promise<Live | null>;
  readonly runs: Runs;
  /**
   * Stores the signals and starts the turn that answers them. The caller runs in the dialog's order (`inOrder`). `redefined`: the current
   * definition, if it has changed.
   */
  readonly store: (live: Live, signals: readonly Signal[], wake: boolean, redefined: Definition | null) => Promise<Dispatched>;
  /** The agent definition in the file at this path. Null if no agent there can run. */
  readonly definition: (path: string) => Promise<Definition | null>;
  /** Called if the dialog's file could not be written. */
  readonly notDelivered: NotDelivered;
  readonly report: (error: unknown) => void;
}

/**
 * Delivers `signal_parent` messages to the dialogs of the agents that started the senders. Each time, it compares both dialogs: a signal is
 * pending while the sender's dialog has it and the other dialog doesn't. So each signal is delivered exactly once, even if the engine ends in
 * between. Delivery waits until the turn of the receiving dialog is over and its calls are decided.
 */
export function createSignals({ find, runs, store, definition, notDelivered, report }: SignalDeps): (dialogId: string) => void {
  async function deliverTo(dialogId: string): Promise<void> {
    const parent = await find(dialogId);
    const own = parent && runOf(parent.state.dialog.head);
    if (!parent || !own) return;
    await runs.read(own.run);
    if (runs.member(dialogId) === null) return;
    const signals: Signal[] = [];
    for (const child of runs.members(own.run)) {
      if (child.parent !== dialogId) continue;
      const live = await find(child.dialogId);
      if (live) signals.push(...signalsOf(child.dialogId, live.state.dialog));
    }
    const owed = undeliveredSignals(parent.state.dialog, signals).length > 0;
    const isAsked = isApplied(parent.state.dialog);
    if (!owed && !isAsked) return;
    const now = await definition(own.file);
    // Reading took a while, so another `Live` may have replaced this one.
    const live = await find(dialogId);
    if (!live) return;
    await inOrder(live, async () => {
      if (live.gone || live.state.turn !== null || isBrokenOff(live.state.dialog)) return;
      const due = undeliveredSignals(live.state.dialog, signals);
      const member = runs.member(dialogId);
      const wakes = due.length > 0 && (member === null || !staysAsleep(member));
      const isNews = now !== null && now.hash !== definitionKnown(live.state.dialog) && (wakes || isApplied(live.state.dialog));
      if (due.length === 0 && !isNews) return;
      const told = isNews && now !== null ? newDefinition(own.file, now) : null;
      const done = await store(live, due, wakes, told);
      if (!done.ok && "failure" in done) await notDelivered(live, done.failure.kind, () => begin(dialogId));
    });
  }
  const begin = (dialogId: string): Promise<void> => deliverTo(dialogId).catch(report);
  return (dialogId) => void begin(dialogId);
}
