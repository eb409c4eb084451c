import type { Activity, DialogListing, Status, WaitingFor } from "../../protocol/index.ts";
import { slugOf } from "../docs/names.ts";
import { words } from "../calls/describe.ts";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/dialog-states.ts";
import { type GroupName, groupOf } from "./dialog-group.ts";

export interface DialogGroup {
  readonly place: GroupName;
  readonly title: string;
  readonly dialogs: readonly DialogListing[];
}

const titles: readonly (readonly [GroupName, string])[] = [
  ["waiting", t.groupWaiting],
  ["running", t.groupRunning],
  ["queued", t.groupQueued],
  ["stopped", t.groupStopped],
  ["done", t.groupDone],
];

/** Dialogs by group, in the order of what the user has to do. Newest first; the queue in its own order. Empty groups are left out. */
export function groupDialogs(dialogs: readonly DialogListing[]): DialogGroup[] {
  const shown = dialogs.toSorted((a, b) => b.mtime - a.mtime);
  return titles
    .map(([place, title]) => ({ place, title, dialogs: shown.filter((dialog) => groupOf(dialog) === place) }))
    .map((group) => (group.place === "queued" ? { ...group, dialogs: group.dialogs.toSorted((a, b) => ahead(a) - ahead(b)) } : group))
    .filter((group) => group.dialogs.length > 0);
}

/** The groups with only those dialogs whose slug contains the text. Empty groups are left out. */
export function withSlug(groups: readonly DialogGroup[], filter: string): readonly DialogGroup[] {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return groups;
  return groups
    .map((group) => ({ ...group, dialogs: group.dialogs.filter(({ dialogId }) => slugOf(dialogId).toLowerCase().includes(wanted)) }))
    .filter(({ dialogs }) => dialogs.length > 0);
}

const ahead = ({ activity }: DialogListing) => (activity?.kind === "queued" ? activity.ahead : 0);

const waits: Readonly<Record<WaitingFor, string>> = {
  leave: t.asksLeave,
  interrupted: t.wasInterrupted,
  question: t.asksQuestion,
  stopped: t.wasStopped,
  failed: t.hasFailed,
  word: t.waitsForWord,
};

/** What a dialog is doing now, in a few words. `wants`: the tool that it asks for, if it asks for only one. */
export function doing(
  status: Status,
  activity: Activity | null,
  waitingFor: WaitingFor | null = null,
  wants: string | null | undefined = null,
): string {
  if (activity !== null) {
    switch (activity.kind) {
      case "queued":
        if (activity.needs !== undefined) return t.waitsForKey;
        return activity.ahead === 0 ? t.next : t.queued(activity.ahead);
      case "thinking":
        return t.thinking;
      case "writing":
        return t.writing;
      case "running":
        return activity.ask === null ? words(activity.tool).working : t.wantsToReach(visible(activity.ask.host));
      case "retrying":
        return t.waitsToRetry;
    }
  }
  if (status === "waiting") {
    if (waitingFor === "leave" && wants != null) return words(wants).asks;
    return waitingFor === null ? t.waitsForYou : waits[waitingFor];
  }
  return status === "active" ? t.atWork : t.hasFinished;
}
