import type { DialogListing } from "../dialogs.ts";
import type { AgentNode, AgentState } from "./model.ts";

/**
 * How an agent is now. Its text doesn't say that it waits for its turn, or that no one works at it anymore: `listing` does; undefined: the dialog is in
 * no list.
 */
export function stateNow({ state }: Pick<AgentNode, "state">, listing: Pick<DialogListing, "status" | "activity"> | undefined): AgentState {
  if (listing === undefined) return state;
  const { status, activity } = listing;
  if (activity?.kind === "queued") return "queued";
  if (activity?.kind === "running" && activity.ask !== null) return "asks";
  if (status === "active") return state === "asks" ? "asks" : "running";
  if (status === "done" && (state === "running" || state === "idle")) return "completed";
  return state === "running" ? "idle" : state;
}
