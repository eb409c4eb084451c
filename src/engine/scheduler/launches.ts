import type { Files } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import { dialogCalls, sectionTime } from "../../dialog/edit.ts";
import { isJsonObject } from "../../dialog/json.ts";
import type { Dialog, Meta } from "../../dialog/model.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { parseDialog } from "../../dialog/parse.ts";
import { limitSource } from "./doc-limits.ts";
import { limits } from "../../protocol/limits.ts";
import { hasNotBegun } from "../turn/machine/queued.ts";
import { launchAgent } from "../turn/tools/launch-agent.ts";
import type { DocLimits } from "./read-doc-limits.ts";
import { hour } from "./queue-state.ts";
import { launchedBy } from "./launched-by.ts";
import type { Live } from "../dialogs/live.ts";
import { type DialogFile, listDialogs } from "../dialogs/open.ts";
import type { Queue, RunSlot } from "./queue.ts";

/** Whether an agent may launch another one. */
export interface Launches {
  /** Loads the launches of previous engine sessions into the queue. Reads the files only once. */
  remember(): Promise<void>;
  /** Afterwards, the queue knows all earlier launches, too. */
  check(live: Live): Promise<LaunchCheck>;
  /** The same for an agent of a run. A run has its own limits for depth and for how many agents an agent starts. */
  checkInRun(live: Live, place: RunSlot): Promise<LaunchCheck>;
}

export type LaunchCheck =
  /** `waits`: why the new agent would have to wait in the queue. Null if it would begin at once. */
  | { readonly ok: true; readonly waits: string | null }
  /** Why not, for the model. */
  | { readonly ok: false; readonly refusal: string };

/** The limit for which a launch was refused. */
export type LaunchLimit = "depth" | "launches by one agent" | "launches below one dialog" | "launches that wait";

export interface LaunchesDeps {
  readonly files: Files;
  readonly now: () => Date;
  readonly docLimits: DocLimits;
  readonly queue: Pick<Queue, "remember" | "waitOfLaunch" | "launchesWaiting">;
  /** Called if a limit prevents a launch. */
  readonly onLimitReached: (limit: LaunchLimit, sentence: string, live: Live) => void;
  readonly report: (error: unknown) => void;
}

export function createLaunches({ files, now, docLimits, queue, onLimitReached, report }: LaunchesDeps): Launches {
  const read: Read = ({ filename }) =>
    files.read(vibeyPath(filename)).then(
      (content) => content?.bytes ?? null,
      (error: unknown) => {
        // One unreadable file must not prevent all launches.
        report(error);
        return null;
      },
    );
  /** Who launched each dialog that was checked. Null if a human started it. This header line never changes. */
  const parents = new Map<string, string | null>();
  let remembered: Promise<void> | null = null;

  /** Runs once, before the first launch of this engine, because launches of earlier engines count too. */
  function remember(): Promise<void> {
    remembered ??= launchTimes(files, read, now().getTime()).then(
      (times) => queue.remember(times),
      (error: unknown) => {
        remembered = null;
        throw error;
      },
    );
    return remembered;
  }

  async function parentOf(file: DialogFile): Promise<string | null> {
    const known = parents.get(file.dialogId);
    if (known !== undefined) return known;
    const bytes = await read(file);
    const parent = bytes && launchedBy(readHead(bytes));
    parents.set(file.dialogId, parent);
    return parent;
  }

  /** The ancestors of a dialog with this launcher, nearest first. A missing or unreadable file ends the chain, and so does a cycle. */
  async function above(launcher: string | null, all: ReadonlyMap<string, DialogFile>): Promise<string[]> {
    const chain: string[] = [];
    for (let parent = launcher; parent !== null && !chain.includes(parent); ) {
      chain.push(parent);
      const file = all.get(parent);
      parent = file ? await parentOf(file) : null;
    }
    return chain;
  }

  /** How many dialogs were launched below this one. Only checks newer dialogs. */
  async function countBelow(root: string, all: ReadonlyMap<string, DialogFile>): Promise<number> {
    const rootFile = all.get(root);
    const since = rootFile ? namedTime(rootFile) : 0;
    let below = 0;
    for (const file of all.values()) {
      if (file.dialogId === root || namedTime(file) < since) continue;
      const parent = await parentOf(file);
      if (parent !== null && (await above(parent, all)).includes(root)) below += 1;
    }
    return below;
  }

  async function refusal(live: Live, inRun: boolean): Promise<{ readonly limit: LaunchLimit; readonly sentence: string } | null> {
    const { depth } = await docLimits.read();
    const all = new Map((await listDialogs(files)).map((file) => [file.dialogId, file]));
    const chain = await above(launchedBy(live.state.dialog.head), all);
    if (!inRun && chain.length >= depth.value) {
      const most = `Agents can be nested ${depth.value} deep (${limitSource("depth", depth)})`;
      return { limit: "depth", sentence: `${most}, and this agent is at depth ${chain.length}` };
    }
    if (!inRun && launchesOf(live.state.dialog) >= limits.launchesByAgent) {
      return {
        limit: "launches by one agent",
        sentence: `One agent can launch up to ${limits.launchesByAgent} agents, and this one has reached that`,
      };
    }
    const root = chain.at(-1) ?? live.id;
    if ((await countBelow(root, all)) >= limits.launchesBelowHuman) {
      const most = `Agents can launch up to ${limits.launchesBelowHuman} agents below one dialog that you started`;
      return { limit: "launches below one dialog", sentence: `${most}, and below ${root} they have reached that` };
    }
    if (queue.launchesWaiting() >= limits.launchesWaiting) {
      const most = `Up to ${limits.launchesWaiting} launched agents can be queued at a time`;
      return { limit: "launches that wait", sentence: `${most}, and that many are` };
    }
    return null;
  }

  async function check(live: Live, place?: RunSlot): Promise<LaunchCheck> {
    const refused = await refusal(live, place !== undefined);
    if (refused !== null) {
      const { limit, sentence } = refused;
      onLimitReached(limit, `${sentence}, so it couldn't launch another one.`, live);
      return { ok: false, refusal: `${sentence}. No dialog was created. Do the work yourself, or say what's left to do.` };
    }
    await remember();
    return { ok: true, waits: queue.waitOfLaunch(await docLimits.read(), place) };
  }

  return { remember, check: (live) => check(live), checkInRun: check };
}

/** Reads a dialog's file. Null if it no longer exists or can't be read. */
type Read = (file: DialogFile) => Promise<Uint8Array | null>;

/** The header is within this many bytes at the start of a dialog's file. */
const headBytes = 16_384;

/**
 * When launched agents began in the hour before `now` (milliseconds since 1970), ascending. The files say so: it is the time of a dialog's first
 * response, which is written when its provider is asked. Times in files are untrusted: ignore start times in the future.
 */
async function launchTimes(files: Files, read: Read, now: number): Promise<number[]> {
  const since = now - hour;
  const times: number[] = [];
  for (const file of await listDialogs(files)) {
    if (Math.max(file.mtime, namedTime(file)) < since) continue;
    const bytes = await read(file);
    if (!bytes || launchedBy(readHead(bytes)) === null) continue;
    const dialog = parseDialog(new TextDecoder().decode(bytes));
    // A launch counts when the dialog begins.
    if (file.status === "active" && hasNotBegun(dialog)) continue;
    const time = beginOf(dialog, file);
    if (time >= since && time <= now) times.push(time);
  }
  return times.toSorted((a, b) => a - b);
}

/** How many dialogs this dialog's agent has launched, according to its file. */
function launchesOf(dialog: Dialog): number {
  return dialogCalls(dialog).filter(
    ({ name, result }) => name === launchAgent.name && isJsonObject(result) && result["launched"] !== undefined,
  ).length;
}

function readHead(bytes: Uint8Array): readonly Meta[] {
  return parseDialog(new TextDecoder().decode(bytes.subarray(0, headBytes))).head;
}

function beginOf({ sections }: Dialog, file: DialogFile): number {
  const first = sections.find(({ role }) => role === "assistant");
  const time = Date.parse((first && sectionTime(first).start) ?? "");
  return Number.isNaN(time) ? namedTime(file) : time;
}

function namedTime({ filename }: DialogFile): number {
  return parseDialogFilename(filename)?.time.getTime() ?? 0;
}
