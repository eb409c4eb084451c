import type { DialogListing } from "../../protocol/index.ts";
import * as t from "../texts/dialog-states.ts";
import { groupOf } from "./dialog-group.ts";

/** Agents below a dialog that have not finished: launched by it, or by one that it launched. */
export interface AtWork {
  readonly waiting: number;
  /** Those in the queue, too. */
  readonly running: number;
}

/** Launches above a dialog that are followed; a file can name any number. */
const deepest = 50;

/** The agents still active below each dialog; dialogs with none are left out. */
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

/** Whether what its agents do says more of a dialog than what it waits for itself. */
export const isIdle = (status: DialogListing["status"], waitingFor: DialogListing["waitingFor"]): boolean =>
  status === "done" || (status === "waiting" && waitingFor === "word");

/** Null: none is active. */
export const belowWords = (below: AtWork | undefined): string | null =>
  below === undefined ? null : t.itsAgents(below.waiting, below.running);
