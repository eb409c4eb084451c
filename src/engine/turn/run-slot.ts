import { strikesIn, maxStrikes } from "../../dialog/progress.ts";
import type { Dialog } from "../../dialog/model.ts";
import { fromOf, isHumans } from "../../dialog/replies.ts";
import { runOf } from "../../dialog/run.ts";
import { sectionAt, sectionCount, standing } from "../../dialog/sections.ts";
import type { Live } from "../dialogs/live.ts";
import { tokenLimitReason } from "../scheduler/guardrails.ts";
import type { RunSlot } from "../scheduler/queue.ts";
import type { Runs } from "../scheduler/runs.ts";

/** The queue slot of a dialog that belongs to a run. Null if it belongs to none. */
export function runSlotOf(live: Live, runs: Runs): RunSlot | null {
  const own = live.state.dialog.format === 2 ? runOf(live.state.dialog.head) : null;
  if (own === null) return null;
  const isPaused = (): boolean => standing(live.state.dialog).run.agentPaused === true;
  return runSlotAt(own.run, priorityOf(live, runs), runs, isPaused);
}

/** The queue slot of an agent with this priority. Lower numbers go first. */
export function runSlotAt(run: string, priority: number, runs: Runs, isPaused = (): boolean => false): RunSlot {
  return {
    id: run,
    priority,
    paused() {
      if (runs.now(run).paused) return "The run is paused.";
      return isPaused() ? "This agent is paused." : null;
    },
    full(running) {
      const now = runs.now(run);
      if (tokenLimitReason(now) !== null) return `The run has used its ${now.limits.tokens.toLocaleString("en-US")} tokens.`;
      const { agents } = now.limits;
      if (running < agents) return null;
      return agents === 1
        ? "1 agent of this run is already running, which is its limit."
        : `${agents} agents of this run are already running, which is its limit.`;
    },
  };
}

/** A dialog with a user's message goes first, then one with a signal, then agents by their depth below the root. */
function priorityOf({ id, state: { dialog } }: Live, runs: Runs): number {
  const member = runs.member(id);
  for (let at = sectionCount(dialog) - 1; at >= 0; at -= 1) {
    const section = sectionAt(dialog, at);
    if (section?.role !== "user") continue;
    if (fromOf(section)?.kind === "signal") return 0;
    return isHumans(section) && (at > 0 || member?.parent === null) ? -1 : member ? runs.depth(member) : 1;
  }
  return member ? runs.depth(member) : 1;
}

/** Why a run's agent gets no further request. Null if it does, or belongs to no run. `asked` is the dialog without the response that would come. */
export async function runStopReason(dialogId: string, asked: Dialog, runs: Runs): Promise<string | null> {
  const own = asked.format === 2 ? runOf(asked.head) : null;
  if (own === null) return null;
  await runs.read(own.run);
  // A dialog that only claims to belong to a run isn't limited by it.
  if (runs.member(dialogId) === null) return null;
  return tokenLimitReason(runs.now(own.run)) ?? (strikesIn(asked) >= maxStrikes ? "no progress" : null);
}
