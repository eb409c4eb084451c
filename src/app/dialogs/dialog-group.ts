import type { Activity, DialogListing } from "../../protocol/index.ts";

/**
 * The group of a dialog in the list. The store calls a queued dialog active, although no agent works on it yet. It also calls a dialog active if its
 * command asks for a host, although it waits for the user. A dialog that the user stopped asks for nothing.
 */
export type GroupName = "waiting" | "running" | "queued" | "stopped" | "done";

/** Whether its command waits for the user to decide if it may connect to a host. */
export const isAsked = (activity: Activity | null) => activity?.kind === "running" && activity.ask !== null;

export function groupOf({ status, activity, waitingFor }: Pick<DialogListing, "status" | "activity" | "waitingFor">): GroupName {
  if (activity?.kind === "queued") return "queued";
  if (isAsked(activity)) return "waiting";
  if (status === "waiting" && waitingFor === "stopped") return "stopped";
  return status === "active" ? "running" : status;
}
