import type { AgentNode, DialogListing } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { stopWords } from "../dialogs/frames.ts";
import * as t from "../texts/why.ts";

/** What a `Stop` line means for an agent of a run, as a sentence; nothing in it is hidden. */
export function stopReason(stop: string): string {
  if (stop === "aborted") return t.aborted;
  if (stop === "interrupted") return t.interrupted;
  if (stop === "limit no progress") return t.noProgress;
  const [, used] = /^limit tokens (?:\((.*?)(?: used)?\))?/.exec(stop) ?? [];
  return stop.startsWith("limit tokens ") ? t.tokens(visible(used ?? "")) : stopWords(stop);
}

/**
 * Why the agent isn't working, as a sentence; null: it is working, has finished, or nothing is known. `listing`: the current state of its dialog;
 * undefined while the past is shown.
 */
export function whyOf(
  { state, why, held }: Pick<AgentNode, "state" | "why" | "held">,
  listing?: Pick<DialogListing, "activity">,
): string | null {
  const activity = listing?.activity ?? null;
  switch (state) {
    case "asks":
      return why === null || why === "interrupted" ? t.needsApproval : t.asks(visible(why));
    case "queued":
      return activity?.kind === "queued" ? activity.reason : null;
    case "paused":
      return why === null && held !== null ? (held === "run" ? t.runPaused : t.agentPaused) : why === null ? null : stopReason(why);
    case "aborted":
    case "error":
      return why === null ? null : stopReason(why);
    case "idle":
      return why === "denied" ? t.denied : null;
    case "running":
      return activity?.kind === "retrying" ? t.retrying(visible(activity.reason)) : null;
    case "completed":
      return null;
  }
}
