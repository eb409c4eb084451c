import type { DialogListing } from "../../protocol/index.ts";
import * as t from "../texts/dialog-states.ts";
import { groupOf } from "./dialog-group.ts";

/** Unfinished agents below a dialog: those that it launched, and those that they launched. */
export interface AtWork {
  readonly waiting: number;
  /** Includes queued agents. */
  readonly running: number;
}

/** The maximum number of launches followed above a dialog. A file can name any number. */
const deepest = 50;

/** The agents still active below each dialog. Dialogs with none are left out. */
export function atWorkBelow(dialogs: readonly DialogListing[]): ReadonlyMap<string, AtWork> {
  const parents = new Map(dialogs.map(({ dialogId, launchedBy, side }) => [dialogId, launchedBy ?? side?.dialogId ?? null]));
  const below = new Map<string, { waiting: number; running: number }>();
  for (const one of dialogs) {
    const place = groupOf(one);
    if (place === "done" || place === "stopped") continue;
    const seen = new Set([one.dialogId]);
    for (
      let above = one.launchedBy ?? null;
      above !== null && !seen.has(above) && seen.size <= deepest;
      above = parents.get(above) ?? null
    ) {
      seen.add(above);
      const counted = below.get(above) ?? { waiting: 0, running: 0 };
      counted[place === "waiting" ? "waiting" : "running"] += 1;
      below.set(above, counted);
    }
  }
  return below;
}

/** Whether the activity of its agents says more about a dialog than its own state does. */
export const isIdle = (status: DialogListing["status"], waitingFor: DialogListing["waitingFor"]): boolean =>
  status === "done" || (status === "waiting" && waitingFor === "word");

/** Null if none is active. */
export const belowWords = (below: AtWork | undefined): string | null =>
  below === undefined ? null : t.itsAgents(below.waiting, below.running);
