import type { Activity } from "../../protocol/index.ts";
import type { EventBus } from "../events.ts";
import { announce } from "../dialogs/dispatch.ts";
import { type Live, tell } from "../dialogs/live.ts";

/** Sets the dialog's current activity, and tells all readers once. */
export function showActivity(live: Live, activity: Activity | null, bus: EventBus): void {
  // If another `Live` has replaced this one, its readers now follow that one.
  if (live.gone || same(live.activity, activity)) return;
  live.activity = activity;
  tell(live, { kind: "state" });
  announce(live, bus);
}

/** A running call and a wait for a retry are announced each time: they are never the same. */
function same(one: Activity | null, other: Activity | null): boolean {
  if (one?.kind === "queued" && other?.kind === "queued") return one.ahead === other.ahead && one.reason === other.reason;
  return one?.kind === other?.kind && other?.kind !== "running" && other?.kind !== "retrying";
}
