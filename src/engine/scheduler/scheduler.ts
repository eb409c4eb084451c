import type { LimitName } from "./doc-limits.ts";
import { limits } from "../../protocol/limits.ts";
import type { DialogsDeps } from "../dialogs/deps.ts";
import { type DocLimits, followDocLimits } from "./read-doc-limits.ts";
import { createLaunches, type Launches, type LaunchLimit } from "./launches.ts";
import type { BlockedBy } from "./queue-state.ts";
import type { Live } from "../dialogs/live.ts";
import { createRuns, type Runs, type RunsDeps } from "./runs.ts";
import { createQueue, type Queue } from "./queue.ts";
import { showActivity } from "../projections/show-activity.ts";

/** The scheduling state that all agents of a project share: limits, queue, launches, and runs. */
export interface Scheduler {
  readonly docLimits: DocLimits;
  readonly queue: Queue;
  readonly launches: Launches;
  readonly runs: Runs;
}

/** `getOpenState`: the in-memory state of an open dialog. Null if it isn't open. */
export function createScheduler({ files, bus, now, later, report }: DialogsDeps, getOpenState: RunsDeps["getOpenState"]): Scheduler {
  const told = new Map<LimitName | LaunchLimit | BlockedBy["by"], number>();

  /** Tells the user about each limit at most once per `limits.limitNoticeMs`, not for each dialog. */
  function onLimitReached(limit: LimitName | LaunchLimit | BlockedBy["by"], message: string, live: Live): void {
    const time = now().getTime();
    if (Math.abs(time - (told.get(limit) ?? -Infinity)) < limits.limitNoticeMs) return;
    told.set(limit, time);
    bus.emit({ type: "notice", data: { kind: "limit", message } }, { dialogId: live.id });
  }

  const docLimits = followDocLimits(files, () => queue.wake(), report);
  const runs = createRuns({ files, bus, docLimits, getOpenState });
  const queue: Queue = createQueue({
    runs,
    docLimits,
    now,
    later,
    show: (live, activity) => showActivity(live, activity, bus),
    onLimitReached,
    report,
  });
  bus.listen(({ type }) => {
    if (type === "keys") queue.wake();
  });
  const launches = createLaunches({ files, now, docLimits, queue, onLimitReached, report });
  return { docLimits, queue, launches, runs };
}
