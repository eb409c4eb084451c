import type { Activity } from "../../protocol/index.ts";
import type { EventBus } from "../events.ts";
import { announce } from "../dialogs/dispatch.ts";
import { type Live, tell } from "../dialogs/live.ts";

/** What happens in the dialog now, told to anyone who reads it, once. */
export function showActivity(live: Live, activity: Activity | null, bus: EventBus): void {
  // Anyone who asks sees the one that took its place.
  if (live.gone || same(live.activity, activity)) return;
  live.activity = activity;
  tell(live, { kind: "state" });
  announce(live, bus);
}

/** A call that runs and a wait for another try are told each time: they are never the same one. */
function same(one: Activity | null, other: Activity | null): boolean {
  if (one?.kind === "queued" && other?.kind === "queued") return one.ahead === other.ahead && one.reason === other.reason;
  return one?.kind === other?.kind && other?.kind !== "running" && other?.kind !== "retrying";
}
