import { labelled } from "../prompt/label.ts";
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
import { isBrokenOff } from "../turn/machine/queries.ts";
import { signalParent, staysAsleep } from "../turn/tools/signal-parent.ts";

/** What an agent has said to the one that started it, as its dialog says: with calls that have their result. */
export function signalsOf(dialogId: string, dialog: Dialog): Signal[] {
  const own = runOf(dialog.head);
  const slug = agentOf(dialog)?.slug;
  if (own === null || slug === undefined) return [];
  return dialogCalls(dialog).flatMap(({ id, name, input, result }): Signal[] => {
    const { message } = input;
    if (name !== signalParent.name || typeof message !== "string" || !isJsonObject(result) || result["success"] !== true) return [];
    const text = labelled(`Signal from ${fileName(own.file)}`, message);
    return [{ from: { kind: "signal", dialogId, call: id, agent: slug }, text }];
  });
}

/** Those that don't stand in the dialog yet, and that the user hasn't removed from it. */
export function undeliveredSignals({ sections }: Pick<Dialog, "sections">, signals: readonly Signal[]): Signal[] {
  const there = new Set<string>();
  for (const from of [...sections.map(fromOf), ...removedIn({ sections })]) {
    if (from?.kind === "signal") there.add(`${from.dialogId} ${from.call}`);
  }
  return signals.filter(({ from }) => !there.has(`${from.dialogId} ${from.call}`));
}

/** For the model. */
const redefinedText = (text: string): string =>
  `From now on these are your instructions, in place of the earlier ones. Your tools stay the same.\n\n${text}`;

export interface SignalDeps {
  readonly find: (dialogId: string) => Promise<Live | null>;
  readonly runs: Runs;
  /** Stores the signals, and begins the turn that answers them; the caller holds the dialog's order. `redefined`: what its file says now. */
  readonly store: (live: Live, signals: readonly Signal[], wake: boolean, redefined: Definition | null) => Promise<Dispatched>;
  /** What the file at this path says of an agent; null: there is none that can run. */
  readonly definition: (path: string) => Promise<Definition | null>;
  /** The dialog's file could not be written. */
  readonly notDelivered: NotDelivered;
  readonly report: (error: unknown) => void;
}

/**
 * Brings what agents say with `signal_parent` to the dialogs of those that started them. What is owed is read from the dialogs each time: a signal is
 * owed while the one has it and the other does not, so each is delivered once, whenever the engine ended. It waits until the turn of that dialog is
 * over, and its calls are decided.
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
    // Reading took a while: another `Live` may stand for it now.
    const live = await find(dialogId);
    if (!live) return;
    await inOrder(live, async () => {
      if (live.gone || live.state.turn !== null || isBrokenOff(live.state.dialog)) return;
      const due = undeliveredSignals(live.state.dialog, signals);
      const member = runs.member(dialogId);
      const wakes = due.length > 0 && (member === null || !staysAsleep(member));
      const isNews = now !== null && now.hash !== definitionKnown(live.state.dialog) && (wakes || isApplied(live.state.dialog));
      if (due.length === 0 && !isNews) return;
      const told =
        isNews && now !== null ? { hash: now.hash, text: labelled(`${fileName(own.file)} was changed`, redefinedText(now.text)) } : null;
      const done = await store(live, due, wakes, told);
      if (!done.ok && "failure" in done) await notDelivered(live, done.failure.kind, () => begin(dialogId));
    });
  }
  const begin = (dialogId: string): Promise<void> => deliverTo(dialogId).catch(report);
  return (dialogId) => void begin(dialogId);
}
