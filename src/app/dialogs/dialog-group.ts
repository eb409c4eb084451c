import type { Activity, DialogListing } from "../../protocol/index.ts";

/**
 * Where a dialog stands in the list. One that waits for its turn is active in the store, but no agent works on it yet; one whose
 * command asks for a host is active too, and waits for the person. One that a person stopped asks for nothing.
 */
export type GroupName = "waiting" | "running" | "queued" | "stopped" | "done";

/** Its command waits until a person has said whether it may reach a host. */
export const isAsked = (activity: Activity | null) => activity?.kind === "running" && activity.ask !== null;

export function groupOf({ status, activity, waitingFor }: Pick<DialogListing, "status" | "activity" | "waitingFor">): GroupName {
  if (activity?.kind === "queued") return "queued";
  if (isAsked(activity)) return "waiting";
  if (status === "waiting" && waitingFor === "stopped") return "stopped";
  return status === "active" ? "running" : status;
}
