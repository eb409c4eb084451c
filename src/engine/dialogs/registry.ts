import { isOwnFormat } from "../../dialog/agent.ts";
import { isRecord } from "../../dialog/outside.ts";
import type { DialogFacts, DialogListing, Frame } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { Effect, Event } from "../turn/machine/model.ts";
import { callsOf, isAsked, isLost, lastCalls } from "../turn/machine/queries.ts";
import { currentProvider } from "../turn/machine/next-step.ts";
import type { Backgrounds } from "../turn/background.ts";
import { releaseRequests } from "../outside/record-decisions.ts";
import { contextOf } from "../projections/context.ts";
import type { Prepared } from "./create.ts";
import type { DialogsDeps } from "./deps.ts";
import { subjectsOf, suggestPatterns } from "./subjects.ts";
import { announce, dispatch, type DispatchDeps } from "./dispatch.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import { lineOfOnly } from "../turn/tools/occurrences.ts";
import { factsOf, unknownFacts } from "../projections/facts.ts";
import { inOrder, type Live, tell } from "./live.ts";
import { openDialogs } from "./open-dialogs.ts";
import { listDialogs, makeLive, openDialog } from "./open.ts";

/**
 * The open dialogs of this engine: one `Live` per id, created from the file on first use. Work that an earlier engine left unfinished is settled
 * before anyone sees the dialog.
 */
export interface Registry {
  find(id: string): Promise<Live | null>;
  /**
   * The same when the engine starts. A dialog that waited in the queue continues to wait: `resumed` gets it and its effects. The listener is not
   * told, because it would open other dialogs, which then could not continue to wait. When all are open, call `allOpened`.
   */
  findAtStart(id: string, resumed: (live: Live, effects: readonly Effect[]) => void): Promise<Live | null>;
  /** Tells the listener about these dialogs, which `findAtStart` opened. */
  allOpened(lives: readonly Live[]): void;
  /** What is known about the dialog without opening it. */
  now(id: string): DialogFacts & Pick<DialogListing, "activity">;
  knows(id: string): boolean;
  /** The dialog, if it is open. */
  peek(id: string): Live | null;
  /** Stores facts about a dialog that was not opened. */
  learn(id: string, facts: DialogFacts): void;
  /** Adds a dialog whose file was just stored. */
  adopt(prepared: Prepared, version: number, onFrame?: (frame: Frame) => void): Live;
  /** Reads the file again. Its followers then follow the new `Live`. Null if the file no longer exists or can't be read. */
  handOver(live: Live): Promise<Live | null>;
  /** The file was deleted. */
  forget(live: Live): void;
  /** Reads what pending `write_file` calls would replace and where `edit_file` calls would change their files, so that the user sees the changes. */
  readBefore(live: Live): Promise<void>;
  /** Finds the patterns that would allow calls like each pending one, and tells the dialog's followers. */
  readPatterns(live: Live): Promise<void>;
  /** Called once, before any dialog is opened. */
  listen(listener: RegistryListener): void;
}

type Resumed = Parameters<Registry["findAtStart"]>[1];

interface Leftovers {
  readonly resumed?: Resumed | undefined;
  /** This is not the first attempt. */
  readonly again?: boolean;
}

interface RegistryParts {
  readonly docLimits: Pick<DocLimits, "last">;
  readonly backgrounds: Pick<Backgrounds, "views">;
}

interface RegistryListener {
  /** A dialog without an active turn was opened. */
  opened(live: Live): void;
  /** Text that was shown could not be stored. */
  lost(live: Live, why: string): void;
}

export function createRegistry(
  deps: Pick<
    DialogsDeps,
    "asks" | "files" | "store" | "bus" | "revisions" | "now" | "later" | "provider" | "sandbox" | "readForDiff" | "report"
  >,
  machine: DispatchDeps,
  { docLimits, backgrounds }: RegistryParts,
): Registry {
  let listener: RegistryListener | null = null;
  const open = openDialogs(limits.idleDialogs);
  const known = new Map<string, DialogFacts & Pick<DialogListing, "activity">>();
  deps.bus.listen((event) => {
    const { dialogId } = event;
    if (dialogId === null) return;
    if (event.type === "dialog") {
      const { waitingFor, wants, asks, tokens, cost, launchedBy, answers, side, activity } = event.data;
      known.set(dialogId, { waitingFor, wants, asks, tokens, cost, launchedBy, answers, side, activity });
      // Asking for the dialog keeps it open. If it begins to work, it may have just been dropped as idle.
      void open.get(dialogId);
    } else if (event.type === "dialog_removed") known.delete(dialogId);
  });

  async function find(id: string, resumed?: Resumed): Promise<Live | null> {
    const opened = open.get(id);
    if (opened) return opened;
    const opening = load(id, resumed);
    open.opening(id, opening);
    return opening;
  }

  async function load(id: string, resumed?: Resumed): Promise<Live | null> {
    const file = (await listDialogs(deps.files, id)).find(({ dialogId }) => dialogId === id);
    const live = file ? await openDialog(deps.files, file, deps.revisions) : null;
    if (!live || !file) return null;
    follow(live);
    await settleLeftovers(live, file.mtime, { resumed });
    await readBefore(live);
    // Starting a shell takes a moment, and no one waits for the result.
    readPatterns(live).catch(deps.report);
    known.set(id, { ...factsOf(live.state), activity: live.activity });
    void prepareProvider(live);
    if (!resumed) tellOpened(live);
    return live;
  }

  function tellOpened(live: Live): void {
    if (live.state.turn === null) listener?.opened(live);
  }

  /** The context usage is known once the provider's code is loaded. */
  async function prepareProvider(live: Live): Promise<void> {
    if (contextOf(live)) return;
    await deps.provider(currentProvider(live.state.dialog))?.prepare?.();
    if (!live.gone && contextOf(live)) tell(live, { kind: "state" });
  }

  function follow(live: Live): void {
    live.lost = (failure) => listener?.lost(live, failure.kind);
    live.window = (provider, model) => deps.provider(provider)?.window(model) ?? null;
    live.background = () => backgrounds.views(live.id);
    live.commandSeconds = () => docLimits.last().command.value;
  }

  async function settleLeftovers(live: Live, mtime: number, { resumed, again = false }: Leftovers = {}): Promise<void> {
    const { dialog, status } = live.state;
    if (isRecord(dialog)) return releaseRequests(live, deps);
    const leftOver = status === "active" || dialog.sections.flatMap(callsOf).some(isLost);
    if (!isOwnFormat(dialog.format) || !leftOver) return;
    const event: Event = { type: "found", time: new Date(mtime).toISOString(), ...(resumed && { atStart: true as const }) };
    const done = await dispatch(live, event, machine);
    if (done.ok && done.effects.length > 0) resumed?.(live, done.effects);
    if (done.ok || !("failure" in done)) return;
    const { kind } = done.failure;
    if (!again) {
      const message = `Couldn't finish saving an earlier change: the file can't be written (${kind}).`;
      deps.bus.emit({ type: "notice", data: { kind: "storage", message } }, { dialogId: live.id });
    }
    if (kind !== "full" && kind !== "broken") return;
    // A dialog in which no one works must not look alive for longer than the storage fails. But once someone has acted in it, don't try again:
    // what looks unfinished may be running, such as a stopped command that will store its own result.
    const { version } = live;
    const tryAgain = async () =>
      live.gone || live.state.turn !== null || live.version !== version ? undefined : settleLeftovers(live, mtime, { again: true });
    deps.later(() => void inOrder(live, tryAgain).catch(deps.report), limits.settleAgainMs);
  }

  async function readBefore(live: Live): Promise<void> {
    live.before.clear();
    live.lines.clear();
    // Another program's tools don't use this project's files.
    if (isRecord(live.state.dialog)) return;
    for (const { id, name, input } of lastCalls(live.state.dialog).filter(isAsked)) {
      const isWhole = name === "write_file" || name === "vfs_write";
      const text = isWhole || name === "edit_file" ? await deps.readForDiff(input["path"]) : null;
      if (text === null) continue;
      if (isWhole) live.before.set(id, text);
      const line = name === "edit_file" ? lineOfOnly(text, input["old_string"]) : null;
      if (line !== null) live.lines.set(id, line);
    }
  }

  async function readPatterns(live: Live): Promise<void> {
    if (isRecord(live.state.dialog)) return;
    live.patterns.clear();
    const pending = lastCalls(live.state.dialog).filter(isAsked);
    const found = pending.length === 0 ? [] : [...(await subjectsOf(pending, deps.sandbox))];
    for (const [id, subject] of found) {
      const choices = suggestPatterns(subject);
      if (choices.length > 0) live.patterns.set(id, choices);
    }
    if (live.patterns.size > 0 && !live.gone) tell(live, { kind: "state" });
  }

  return {
    find: (id) => find(id),
    findAtStart: find,
    allOpened: (lives) => lives.forEach(tellOpened),
    listen: (given) => void (listener = given),
    readBefore,
    readPatterns,
    now: (id) => known.get(id) ?? { ...unknownFacts, activity: null },
    knows: (id) => known.has(id),
    peek(id) {
      const live = open.get(id);
      return live === undefined || live instanceof Promise || live.gone ? null : live;
    },
    learn(id, facts) {
      if (!known.has(id)) known.set(id, { ...facts, activity: null });
    },
    adopt(prepared, version, onFrame) {
      const { id, path, state, text } = prepared;
      const live = makeLive({ id, path, version, state, text, revisions: deps.revisions });
      follow(live);
      open.add(live);
      if (onFrame) live.frames.add(onFrame);
      announce(live, deps.bus);
      return live;
    },
    async handOver(live) {
      if (live.gone) return find(live.id);
      live.gone = true;
      deps.store.drop(live);
      open.delete(live.id);
      // If the file can't be read either, its followers must not wait forever.
      const by = await find(live.id).catch((error: unknown) => {
        deps.report(error);
        return null;
      });
      tell(live, by ? { kind: "replaced", by } : { kind: "gone" });
      // Opening it may have ended its turn, which was announced before it could be found.
      if (by) announce(by, deps.bus);
      return by;
    },
    forget(live) {
      live.gone = true;
      open.delete(live.id);
      tell(live, { kind: "gone" });
      deps.bus.emit({ type: "dialog_removed", data: {} }, { dialogId: live.id });
    },
  };
}
