import type { Activity, DialogListing, Status } from "../../engine/api.ts";
import { slugOf } from "../docs/names.ts";
import { working } from "../calls/describe.ts";

export interface DialogGroup {
  readonly status: Status;
  readonly title: string;
  readonly dialogs: readonly DialogListing[];
}

const titles: readonly (readonly [Status, string])[] = [
  ["waiting", "Waiting for you"],
  ["active", "Running"],
  ["done", "Done"],
];

/** Dialogs whose slug has the text, by status in the order of what a person has to do, newest first; no empty group. */
export function groupDialogs(dialogs: readonly DialogListing[], filter = ""): DialogGroup[] {
  const wanted = filter.trim().toLowerCase();
  const shown = dialogs.filter(({ dialogId }) => slugOf(dialogId).toLowerCase().includes(wanted)).toSorted((a, b) => b.mtime - a.mtime);
  return titles
    .map(([status, title]) => ({ status, title, dialogs: shown.filter((dialog) => dialog.status === status) }))
    .filter((group) => group.dialogs.length > 0);
}

/** What a dialog does now, in a few words. */
export function doing(status: Status, activity: Activity | null): string {
  if (activity !== null) {
    switch (activity.kind) {
      case "thinking":
        return "thinking…";
      case "writing":
        return "writing…";
      case "running":
        return `${working(activity.tool)}…`;
      case "retrying":
        return "waits to try again…";
    }
  }
  return { waiting: "waits for your word", active: "at work…", done: "has finished" }[status];
}

/** "(2) Vibey" while two dialogs wait. */
export const pageTitle = (waiting: number) => (waiting > 0 ? `(${waiting}) Vibey` : "Vibey");
