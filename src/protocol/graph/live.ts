import type { DialogListing } from "../dialogs.ts";
import type { AgentNode, AgentState } from "./model.ts";

/**
 * The present state of an agent. Its text doesn't say that it is queued, or that no one is working on it any longer: `listing` does. Undefined: the
 * dialog is in no list.
 */
export function stateNow(
  { state, why, held }: Pick<AgentNode, "state" | "why" | "held">,
  listing: Pick<DialogListing, "status" | "activity"> | undefined,
): AgentState {
  if (listing === undefined) return state;
  const { status, activity } = listing;
  if (activity?.kind === "queued") return held === null ? "queued" : "paused";
  if (activity?.kind === "running" && activity.ask !== null) return "asks";
  if (status === "active") return state === "asks" ? "asks" : "running";
  // Nothing stopped it: it was working when it was paused.
  const wasRunning = state === "running" || (state === "paused" && why === null);
  if (status === "done" && (wasRunning || state === "idle")) return "completed";
  // The user opened it again.
  return wasRunning || (status === "waiting" && state === "completed") ? "idle" : state;
}
