import type { Files, FileStat } from "../../fs/files.ts";
import { nameOf } from "../../fs/vibey-name.ts";
import type { Dialog } from "../../dialog/model.ts";
import { parseDialogFilename } from "../../dialog/name.ts";
import { parseDialog } from "../../dialog/parse.ts";
import { recoverDialog } from "../../dialog/recover.ts";
import { runOf, type RunLimits, type RunMember, type RunCommands } from "../../dialog/run.ts";
import { sectionAt, standing } from "../../dialog/sections.ts";
import type { Status } from "../../protocol/index.ts";
import type { EventBus } from "../events.ts";
import { waitingFor } from "../projections/waiting-for.ts";
import { fileBatches } from "../file-batches.ts";
import { StorageError } from "../../fs/storage-error.ts";
import { readEach } from "../read-each.ts";
import { lastRead } from "../turn/machine/last-read.ts";
import type { State } from "../turn/machine/model.ts";
import { isUndecided, lastCalls, stopIn } from "../turn/machine/queries.ts";
import { queuedIn } from "../turn/machine/queued.ts";
import { parseUsage, tokensEstimated } from "../turn/machine/usage.ts";
import { launchedBy } from "./launched-by.ts";
import type { DocLimits } from "./read-doc-limits.ts";

/** A dialog of a run, according to its file. */
export interface RunAgent extends RunMember {
  readonly dialogId: string;
  /** The dialog whose agent started it. Null if the user did, so it is the root. */
  readonly parent: string | null;
  readonly status: Status;
  /** It waits in the queue. */
  readonly isQueued: boolean;
  /** Its calls wait for the user's decision, or it asked the user something. */
  readonly isAsking: boolean;
  /** Why its last response ended early, as its `Stop` line says. Null if it didn't, or if someone has written since. */
  readonly stop: string | null;
  readonly tokens: number;
  readonly started: string;
  /** The first line of its first message. */
  readonly title: string;
  readonly userCommands: RunCommands;
}

/** A run's limits, whether it is paused, and its token usage. */
export interface RunSettings {
  readonly limits: RunLimits;
  readonly paused: boolean;
  readonly tokens: number;
}

/**
 * The runs of a project, read from the headers and ends of their dialogs. A run is read once and then kept up to date. All facts come from the
 * dialogs.
 */
export interface Runs {
  /** Reads the dialogs of a run that are not known yet. */
  read(run: string): Promise<void>;
  /** Reads all runs. */
  readAll(): Promise<void>;
  isKnown(run: string): boolean;
  /** The dialogs of a known run, oldest first. */
  members(run: string): readonly RunAgent[];
  member(dialogId: string): RunAgent | null;
  /** The ids of all roots, newest first. Call `readAll` before. */
  roots(): readonly string[];
  now(run: string): RunSettings;
  /** The distance from the root. The root has depth 0. */
  depth(member: RunAgent): number;
  /** Records the new state of a dialog. */
  note(dialogId: string, state: Pick<State, "dialog" | "status">): void;
}

export interface RunsDeps {
  readonly files: Pick<Files, "list" | "readMany">;
  readonly bus: Pick<EventBus, "listen">;
  readonly docLimits: Pick<DocLimits, "last">;
  /** The current state of an open dialog. Null if it is not open. */
  readonly getOpenState: (dialogId: string) => Pick<State, "dialog" | "status"> | null;
}

/** The header is within this many bytes at the start of a dialog's file. */
const headBytes = 16_384;

export function createRuns({ files, bus, docLimits, getOpenState }: RunsDeps): Runs {
  /** Every dialog that was read. Null if it belongs to no run. */
  const known = new Map<string, RunAgent | null>();
  const byRun = new Map<string, Set<string>>();
  /** The runs whose dialogs are all known. */
  const read = new Set<string>();
  /** The dialogs that can't be read. */
  const unreadable = new Set<string>();
  let all: Promise<void> | null = null;

  function set(dialogId: string, member: RunAgent | null): void {
    // The user may have edited its header by hand.
    const before = known.get(dialogId);
    if (before && before.run !== member?.run) byRun.get(before.run)?.delete(dialogId);
    known.set(dialogId, member);
    unreadable.delete(dialogId);
    if (!member) return;
    const ids = byRun.get(member.run) ?? new Set();
    byRun.set(member.run, ids.add(dialogId));
  }

  function forget(dialogId: string): void {
    const member = known.get(dialogId);
    known.delete(dialogId);
    if (member) byRun.get(member.run)?.delete(dialogId);
  }

  bus.listen(({ type, dialogId }) => {
    if (dialogId === null) return;
    const state = type === "dialog" ? getOpenState(dialogId) : null;
    if (state) note(dialogId, state);
    else if (type === "dialog_removed") forget(dialogId);
  });

  function note(dialogId: string, state: Pick<State, "dialog" | "status">): void {
    set(dialogId, runAgentOf(dialogId, state));
  }

  /** `since`: ids begin with their creation time, so the dialogs of a run come after its root. */
  async function look(since: string): Promise<void> {
    const stats = (await files.list("vibey/dialog-")).flatMap((stat) => {
      const name = parseDialogFilename(nameOf(stat.path) ?? "");
      return name && name.dialogId >= since && !known.has(name.dialogId) ? [{ stat, name }] : [];
    });
    for (const batch of fileBatches(stats, ({ stat }) => stat)) await lookInto(batch);
  }

  async function lookInto(
    batch: readonly { readonly stat: FileStat; readonly name: NonNullable<ReturnType<typeof parseDialogFilename>> }[],
  ): Promise<void> {
    const contents = await readEach(
      files,
      batch.map(({ stat }) => stat.path),
    );
    for (const [at, { name }] of batch.entries()) {
      const { dialogId, status } = name;
      // An open dialog has been noted in the meantime, and that state is newer.
      if (known.has(dialogId)) continue;
      const state = getOpenState(dialogId);
      const content = contents[at];
      const bytes = content instanceof StorageError ? undefined : content?.bytes;
      if (content instanceof StorageError && !state) unreadable.add(dialogId);
      if (state) note(dialogId, state);
      else if (bytes) {
        const isMember = runOf(parseDialog(new TextDecoder().decode(bytes.subarray(0, headBytes))).head) !== null;
        set(dialogId, isMember ? runAgentOf(dialogId, { dialog: recoverDialog(new TextDecoder().decode(bytes)).dialog, status }) : null);
      }
    }
  }

  async function readEvery(): Promise<void> {
    await look("");
    for (const run of byRun.keys()) read.add(run);
  }

  return {
    isKnown: (run) => read.has(run),
    async read(run) {
      if (read.has(run)) return;
      await look(run.slice(0, "YYYYMMDD-HHmmss".length));
      read.add(run);
    },
    readAll() {
      all ??= readEvery().catch((error: unknown) => {
        all = null;
        throw error;
      });
      return all;
    },
    members: (run) => [...(byRun.get(run) ?? [])].toSorted().flatMap((id) => known.get(id) ?? []),
    member: (dialogId) => known.get(dialogId) ?? null,
    roots: () =>
      [...byRun.keys()]
        .filter((run) => known.get(run)?.run === run)
        .toSorted()
        .toReversed(),
    now(run) {
      const words = known.get(run)?.userCommands ?? {};
      const usual = docLimits.last().run;
      const limits = {
        agents: words.agents ?? usual.agents,
        depth: words.depth ?? usual.depth,
        fanout: words.fanout ?? usual.fanout,
        tokens: words.tokens ?? usual.tokens,
      };
      let tokens = 0;
      for (const id of byRun.get(run) ?? []) tokens += known.get(id)?.tokens ?? 0;
      // The root has the run's limits and says whether it is paused. If it can't be read, nothing in the run begins.
      return { limits, paused: words.runPaused === true || unreadable.has(run), tokens };
    },
    depth(member) {
      const seen = new Set([member.dialogId]);
      let depth = 0;
      for (let { parent } = member; parent !== null && !seen.has(parent); parent = known.get(parent)?.parent ?? null) {
        seen.add(parent);
        depth += 1;
      }
      return depth;
    },
    note,
  };
}

function runAgentOf(dialogId: string, { dialog, status }: Pick<State, "dialog" | "status">): RunAgent | null {
  const own = dialog.format === 2 ? runOf(dialog.head) : null;
  if (own === null) return null;
  const parent = launchedBy(dialog.head);
  // Only the root of a run has no parent.
  if ((own.run === dialogId) !== (parent === null)) return null;
  return {
    ...own,
    dialogId,
    parent,
    status,
    isQueued: status === "active" && queuedIn(dialog) !== null,
    isAsking: status === "waiting" && (lastCalls(dialog).some(isUndecided) || waitingFor({ dialog, status }) === "question"),
    stop: stopIn(dialog),
    tokens: (lastRead(dialog, "Usage cumulative", parseUsage)?.total ?? 0) + tokensEstimated(dialog),
    started: dialog.head.find(({ key }) => key === "Started")?.value ?? "",
    title: firstLine(dialog),
    userCommands: standing(dialog).run,
  };
}

/** In UTF-16 units. */
const maxTitleLength = 120;

function firstLine(dialog: Dialog): string {
  const text = sectionAt(dialog, 0)?.parts.find(({ kind }) => kind === "text");
  const line = text?.kind === "text" ? (text.text.split("\n", 1)[0] ?? "") : "";
  return line.length > maxTitleLength ? `${line.slice(0, maxTitleLength - 1)}…`.replace(/[\ud800-\udbff]…$/, "…") : line;
}
