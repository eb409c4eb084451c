import type { Files } from "../../fs/files.ts";
import { dialogsToOpen } from "../agents/pending-deliveries.ts";
import { launchedBy } from "../scheduler/launched-by.ts";
import type { Launches } from "../scheduler/launches.ts";
import type { Queue } from "../scheduler/queue.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import type { Effect } from "../turn/machine/model.ts";
import { hasNotBegun, queuedIn } from "../turn/machine/queued.ts";
import type { Turns } from "../turn/turns.ts";
import type { Live } from "./live.ts";
import { listDialogs } from "./open.ts";
import type { Registry } from "./registry.ts";

export interface RecoverDeps {
  readonly files: Files;
  readonly docLimits: Pick<DocLimits, "read">;
  readonly queue: Pick<Queue, "hold">;
  readonly launches: Pick<Launches, "remember">;
  readonly registry: Pick<Registry, "find" | "findAtStart" | "allOpened">;
  readonly turns: Pick<Turns, "perform">;
  readonly report: (error: unknown) => void;
}

/** A dialog that was in the queue of the last engine. */
interface Waiting {
  readonly live: Live;
  readonly effects: readonly Effect[];
  readonly since: string;
  readonly launched: boolean;
}

/**
 * Cleans up after an earlier engine: dialogs that it left `active` are marked, and dialogs that only waited in the queue enter it again, oldest
 * first. Then delivers what is pending.
 */
export async function recoverAll({ files, docLimits, queue, launches, registry, turns, report }: RecoverDeps): Promise<void> {
  await docLimits.read();
  const waiting: Waiting[] = [];
  const resumed = (live: Live, effects: readonly Effect[]): void => {
    const { dialog } = live.state;
    const launched = launchedBy(dialog.head) !== null && hasNotBegun(dialog);
    waiting.push({ live, effects, since: queuedIn(dialog)?.since ?? "", launched });
  };
  const opened: Live[] = [];
  for (const { status, dialogId } of await listDialogs(files)) {
    if (status !== "active") continue;
    // One unreadable file must not prevent other dialogs and the docs from being opened.
    const opening = registry.findAtStart(dialogId, resumed).then((live) => void (live && opened.push(live)));
    await opening.catch(report);
  }
  // These dialogs count as launches when they begin, so earlier launches are counted first.
  if (waiting.some(({ launched }) => launched)) await launches.remember().catch(report);
  const oldestFirst = waiting.toSorted((one, other) => (one.since < other.since ? -1 : 1));
  // All must be in the queue before the first one begins.
  const release = queue.hold();
  for (const { live, effects, launched } of oldestFirst) turns.perform(live, effects, { launched, resumed: true });
  release();
  registry.allOpened(opened);
  void deliverOwed({ files, registry, report }).catch(report);
}

/** Opens the dialogs with pending deliveries. Opening them delivers these. */
async function deliverOwed({ files, registry, report }: Pick<RecoverDeps, "files" | "registry" | "report">): Promise<void> {
  for (const id of await dialogsToOpen(files)) await registry.find(id).catch(report);
}
