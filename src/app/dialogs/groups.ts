import type { Activity, DialogListing, Status, WaitingFor } from "../../engine/api.ts";
import { slugOf } from "../docs/names.ts";
import { wish, working } from "../calls/describe.ts";
import { visible } from "../calls/visible.ts";
import { type Place, placeOf } from "./place.ts";

export interface DialogGroup {
  readonly place: Place;
  readonly title: string;
  readonly dialogs: readonly DialogListing[];
}

const titles: readonly (readonly [Place, string])[] = [
  ["waiting", "Waiting for you"],
  ["running", "Running"],
  ["queued", "In the queue"],
  ["done", "Done"],
];

/** Dialogs whose slug has the text, by place in the order of what a person has to do; newest first, the queue in its own order; no empty group. */
export function groupDialogs(dialogs: readonly DialogListing[], filter = ""): DialogGroup[] {
  const wanted = filter.trim().toLowerCase();
  const shown = dialogs.filter(({ dialogId }) => slugOf(dialogId).toLowerCase().includes(wanted)).toSorted((a, b) => b.mtime - a.mtime);
  return titles
    .map(([place, title]) => ({ place, title, dialogs: shown.filter((dialog) => placeOf(dialog) === place) }))
    .map((group) => (group.place === "queued" ? { ...group, dialogs: group.dialogs.toSorted((a, b) => ahead(a) - ahead(b)) } : group))
    .filter((group) => group.dialogs.length > 0);
}

const ahead = ({ activity }: DialogListing) => (activity?.kind === "queued" ? activity.ahead : 0);

const waits: Readonly<Record<WaitingFor, string>> = {
  leave: "asks for leave",
  interrupted: "was interrupted",
  question: "asks a question",
  stopped: "was stopped",
  failed: "failed",
  word: "waits for your word",
};

/** What a dialog does now, in a few words. `wants`: the tool that it asks for, when that is one alone. */
export function doing(
  status: Status,
  activity: Activity | null,
  waitingFor: WaitingFor | null = null,
  wants: string | null | undefined = null,
): string {
  if (activity !== null) {
    switch (activity.kind) {
      case "queued":
        return activity.ahead === 0 ? "waits for its turn, next" : `waits for its turn, ${activity.ahead} ahead`;
      case "thinking":
        return "thinking…";
      case "writing":
        return "writing…";
      case "running":
        return activity.ask === null ? `${working(activity.tool)}…` : `wants to reach ${visible(activity.ask.host)}`;
      case "retrying":
        return "waits to try again…";
    }
  }
  if (status === "waiting") {
    if (waitingFor === "leave" && wants != null) return `asks to ${visible(wish(wants))}`;
    return waitingFor === null ? "waits for you" : waits[waitingFor];
  }
  return status === "active" ? "at work…" : "has finished";
}
