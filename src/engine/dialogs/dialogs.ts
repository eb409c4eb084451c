import { summaryIn, pendingReplies } from "../agents/pending-replies.ts";
import { resolveWords } from "../agents/resolver.ts";
import { createDelivery } from "../agents/deliver.ts";
import { dialogsToOpen } from "../agents/pending-deliveries.ts";
import { isOwnFormat } from "../../dialog/agent.ts";
import { isRecord } from "../../dialog/outside.ts";
import { lastSection, sectionCount, withoutLast } from "../../dialog/sections.ts";
import { roomOf } from "../../dialog/replies.ts";
import { type Actor, agent, human } from "../../fs/actor.ts";
import type { Change } from "../../fs/files.ts";
import { vibeyPath } from "../../fs/vibey-name.ts";
import type { DialogListing, Frame, LimitsAnswer } from "../../protocol/index.ts";
import { cleanCharacters } from "../../dialog/clean.ts";
import { addMeta, dialogCalls, pieces } from "../../dialog/edit.ts";
import { generationOf } from "../../dialog/events/events-of.ts";
import { dialogFilename, parseDialogFilename } from "../../dialog/name.ts";
import { serialiseDialog } from "../../dialog/serialise.ts";
import { parseDialog } from "../../dialog/parse.ts";
import { recover } from "../../dialog/recover.ts";
import type { Call, Dialog } from "../../dialog/model.ts";
import { hasMessage } from "../../dialog/message-key.ts";
import type { Effect, Event, MachineOptions, Reply } from "../turn/machine/model.ts";
import { isLost, lastCalls } from "../turn/machine/queries.ts";
import { hasNotBegun, queuedIn } from "../turn/machine/queued.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import { exceeds, networkNow } from "../turn/machine/user-permissions.ts";
import { createNetworks } from "../network/network.ts";
import { createBackgrounds } from "../turn/background.ts";
import { continuation } from "./continue.ts";
import { createAnswering, currentTarget, mentionsOfAgents } from "./answering.ts";
import { createCreation } from "./create.ts";
import type { NewDialog } from "./new-dialog.ts";
import { createScheduler } from "../scheduler/scheduler.ts";
import type { DialogsDeps } from "./deps.ts";
import { announce, type Dispatched, storeChange } from "./dispatch.ts";
import { toDialog } from "../outside/convert-record.ts";
import { applyDecisions, stopInRecord } from "../outside/record-decisions.ts";
import { lookInto } from "../projections/facts.ts";
import { forkedFrom, sideForkOf } from "./fork-point.ts";
import { type ForkWanted, forkOf } from "./fork.ts";
import { limits } from "../../protocol/limits.ts";
import { originOf, sideDialog } from "./side.ts";
import { launchedBy } from "../scheduler/launched-by.ts";
import { inOrder, type Live, tell } from "./live.ts";
import { listDialogs } from "./open.ts";
import type { Outcome, PutDialog, PutRefusal } from "./outcome.ts";
import { createRunCommands, type RunCommands } from "./run-commands.ts";
import { createSignals } from "../agents/signals.ts";
import { type RunLimits, runOf } from "../../dialog/run.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createFileReads } from "../projections/file-reads.ts";
import { stopAll } from "../scheduler/stop-all.ts";
import { asksAlways } from "../turn/tools/vfs.ts";
import { createToolbox } from "../turn/toolbox.ts";
import { createTurns } from "../turn/turns.ts";
import { systemOf } from "../turn/system-of.ts";
import { callHash } from "../projections/view.ts";

export interface RecordChange<T> {
  /** null: nothing is stored. */
  readonly taken: Parameters<typeof storeChange>[1] | null;
  readonly value: T;
}

/** An approval must name the call as it stands now; a denial is safe without a name, but not with a wrong one. */
function isDecidedOtherwise(call: Call, { decisions, hashes }: PutDialog): boolean {
  const word = decisions.get(call.id);
  if (word === undefined || (word === "deny" && !hashes.has(call.id))) return false;
  return hashes.get(call.id) !== callHash(call);
}

/**
 * The dialogs of a project: made, continued, stopped, read. Everything a dialog is stands in its file; what is here is
 * what happens to it right now, and the order in which it happens.
 */
export interface Dialogs {
  /** `look`: which of those that nothing is known of are looked into. */
  list(look?: "none" | "newest" | "all"): Promise<DialogListing[]>;
  /** The dialog with this id, opened; null when there is none. */
  get(id: string): Promise<Live | null>;
  /** What the dialog says, if this engine has it open. */
  peek(id: string): Dialog | null;
  /** `onFrame` hears of the first turn, when there is one, from its first frame on. */
  create(wanted: NewDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** A new dialog that begins with a summary of this one, which stays whole. `prompt`: what the user adds. */
  continueFresh(id: string, prompt: string | null, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** A new dialog with what this one says up to a message; this one stays whole. */
  fork(id: string, wanted: ForkWanted, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** A new record of what happens outside Vibey. `status`: left out: `waiting`. */
  createRecord(slug: string, dialog: Dialog, by: Actor, status?: "waiting" | "done"): Promise<Outcome<Live>>;
  /** Changes a record: what `change` makes of it is stored, then told. Written by `engine/outside` alone. */
  changeRecord<T>(id: string, by: Actor, change: (live: Live) => RecordChange<T>): Promise<Outcome<T>>;
  /** A room in which one message of this dialog is discussed; its summary comes back here. This one stays whole. */
  side(id: string, wanted: { readonly message: number; readonly topic: string }): Promise<Outcome<Live>>;
  put(id: string, wanted: PutDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** Asks for a summary of a fork, which is answered in it. */
  resolve(id: string): Promise<Outcome<Live>>;
  /** Brings the summary of a fork to the dialog that it was forked from, and marks the fork as done. */
  sendSummary(id: string): Promise<Outcome<Live>>;
  setStatus(id: string, status: "waiting" | "done"): Promise<Outcome<Live>>;
  /** Stops a command that continues in the background. */
  stopBackground(id: string, background: string): Promise<Outcome<Live>>;
  /** Stops every dialog that is active or waits for its turn; returns their ids. */
  stopAll(): Promise<readonly string[]>;
  limits(): Promise<LimitsAnswer>;
  readonly runs: RunCommands;
  /** What a run may of which the user says nothing. */
  runLimits(): Promise<RunLimits>;
  /** The user edited the file: the text is the new truth, and the file says that it was edited. */
  replace(filename: string, text: string, expect: number | null | undefined): Promise<Outcome<number>>;
  remove(filename: string): Promise<Outcome<null>>;
  /** Marks what an engine that is gone left `active`; what only waited for its turn is in the queue again, oldest first. Then brings what is owed. */
  recoverAll(): Promise<void>;
}

export function createDialogs(deps: DialogsDeps, providers: readonly string[]): Dialogs {
  const toolbox = createToolbox(deps.fileTools, providers);
  const { docLimits, queue, launches, runs } = createScheduler(deps, (id) => registry.peek(id)?.state ?? null);
  const options: MachineOptions = {
    check: toolbox.check,
    asksAlways,
    get requestsPerTurn() {
      return docLimits.last().requests.value;
    },
  };
  const fileReads = createFileReads(deps.fileChanges);
  const machine = { store: deps.store, bus: deps.bus, options };
  const creation = createCreation(deps, options);
  const networks = deps.outside && createNetworks({ ...deps, ...deps.outside, find: (id) => registry.find(id) });
  const backgrounds = createBackgrounds({
    ...deps,
    fileReads,
    changed: (id) =>
      void registry
        .find(id)
        .then((live) => live && tell(live, { kind: "state" }))
        .catch(deps.report),
  });
  const parts = { machine, toolbox, providers, creation, docLimits, queue, launches, runs, fileReads, networks, backgrounds };
  const now = () => deps.now().toISOString();
  const delivery = createDelivery({
    find: (id) => registry.find(id),
    store: (live, replies) => answering.storeReplies(live, replies),
    onWriteFailed: (live, why) => turns.takeBack(live, why),
    deliverSideSummary,
    report: deps.report,
  });
  const signalled = createSignals({
    find: (id) => registry.find(id),
    runs,
    store: (live, signals, wake, redefined) => {
      const news = redefined === null ? {} : { redefined: { ...redefined, dialogId: live.id } };
      return turns.act(live, { type: "signals", signals, wake, time: now(), ...news });
    },
    async definition(path) {
      const { entryAgent } = await import("../agents/run-agent.ts");
      const found = await entryAgent(path, deps.files);
      return typeof found === "string" ? null : { hash: found.agent.hash, text: found.agent.text };
    },
    lost: (live, why) => turns.takeBack(live, why),
    report: deps.report,
  });
  /** What waited until the turn of a dialog was over. */
  function rested(live: Live): void {
    delivery.rested(live);
    if (runOf(live.state.dialog.head) !== null) signalled(live.id);
  }
  function opened(live: Live): void {
    delivery.opened(live);
    if (runOf(live.state.dialog.head) !== null) signalled(live.id);
  }
  const turns = createTurns({ ...deps, ...parts, registry: () => registry, rested, signalled });
  const registry: Registry = createRegistry(
    deps,
    machine,
    { docLimits, backgrounds, opened },
    (live, why) => void turns.takeBack(live, why).catch(deps.report),
  );
  const answering = createAnswering({
    ...deps,
    creation,
    docLimits,
    options,
    isProvider: (name) => providers.includes(name),
    window: (name, model) => deps.provider(name)?.window(model) ?? null,
    systemOf: (asked) => systemOf(asked, deps),
    act: (live, event, extra, stored) => turns.act(live, event, extra, stored),
    begin: (task, version) => turns.perform(registry.adopt(task, version), task.effects),
  });

  /** Runs `work` in the dialog's order, on the `Live` that stands for it then: it may have been read again, or deleted, meanwhile. */
  async function withLive<T>(id: string, work: (live: Live) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    for (;;) {
      const live = await registry.find(id);
      if (!live) return refused({ kind: "unknown-dialog" });
      const done = await inOrder(live, async () => (live.gone ? null : work(live)));
      if (done) return done;
    }
  }

  /** What the last engine could not bring to other dialogs any more. */
  async function bringOwed(): Promise<void> {
    for (const id of await dialogsToOpen(deps.files)) await registry.find(id).catch(deps.report);
  }

  /** Work continues in it whose end will be written to the file as it is now. */
  function isBusy({ state: { dialog, status } }: Live): boolean {
    return isOwnFormat(dialog.format) && (status === "active" || dialogCalls(dialog).some(isLost));
  }

  async function outcome(live: Live, done: Dispatched): Promise<Outcome<Live>> {
    if (done.ok) return { ok: true, value: live };
    if ("refusal" in done) return refused(done.refusal);
    if (done.failure.kind !== "conflict") return refused({ kind: "storage", message: storageMessage(done.failure.kind) });
    // The file is not the one that this was meant for: it is read again, and what continued by the old one ends.
    await (live.state.turn ? turns.takeBack(live, done.failure.kind) : registry.handOver(live));
    return refused({ kind: "changed", ids: [] });
  }

  /** The summary of a fork goes to the dialog with this id, once. */
  const sendTo = (to: string, fork: Dialog, id: string, reply: Reply) =>
    withLive(to, async (live) => {
      // A second click sends nothing more.
      if (pendingReplies(live.state.dialog, [reply]).length === 0) return { ok: true, value: live };
      const topic = roomOf(fork.head);
      const named = { ...reply, resolves: id, ...(topic === null ? {} : { topic }) };
      return outcome(live, await turns.act(live, { type: "deliver", replies: [named], time: now() }));
    });

  async function deliverSideSummary({ id, state: { dialog, status } }: Live): Promise<string | null> {
    const from = sideForkOf(dialog.head);
    const summary = from && summaryIn(dialog);
    if (!summary || summary.to !== from.dialogId) return null;
    const { to, ...reply } = summary;
    const sent = await sendTo(to, dialog, id, reply);
    if (!sent.ok) return sent.refusal.kind === "active" || sent.refusal.kind === "undecided" ? to : null;
    // What the user says after the summary opens the discussion again.
    const last = lastSection(dialog);
    if (status !== "done" && last && pendingReplies({ sections: [last] }, [reply]).length === 0) await setStatus(id, "done");
    return null;
  }

  const inRecord = async (live: Live, done: Awaited<ReturnType<typeof applyDecisions>>): Promise<Outcome<Live>> =>
    !done.ok && "refusal" in done ? refused(done.refusal) : outcome(live, done);

  const setStatus = (id: string, status: "waiting" | "done") => {
    backgrounds.stopAllOf(id);
    return withLive(id, async (live) => {
      if (status === "waiting" && isRecord(live.state.dialog)) return inRecord(live, await stopInRecord(live, deps));
      const stopped = await turns.stop(live, status);
      // One may have been started until then.
      backgrounds.stopAllOf(id);
      return outcome(live, stopped);
    });
  };

  const runCommands = createRunCommands({
    runs,
    queue,
    dialogs: { get: (id) => dialogs.get(id), put: (id, wanted) => dialogs.put(id, wanted), setStatus },
    say: (id, lines) => withLive(id, async (live) => outcome(live, await turns.act(live, { type: "words", lines }))),
    signalled,
    now: deps.now,
  });

  const dialogs: Dialogs = {
    runs: runCommands,
    runLimits: async () => (await docLimits.read()).run,
    async list(look = "none") {
      const all = await listDialogs(deps.files);
      if (look !== "none") {
        const unknown = all.filter(({ dialogId }) => !registry.knows(dialogId));
        const wanted = look === "all" ? unknown : unknown.slice(0, limits.factsDialogs);
        for (const [id, facts] of await lookInto(deps.files, wanted)) registry.learn(id, facts);
      }
      return all.map((file) => ({ ...file, ...registry.now(file.dialogId) }));
    },
    get: (id) => registry.find(id),
    peek: (id) => registry.peek(id)?.state.dialog ?? null,
    create: (wanted, onFrame) =>
      creation.oneByOne(async () => {
        await docLimits.read();
        const { prompt } = wanted;
        const agents = prompt === null || wanted.mentions === undefined ? [] : await deps.agents.mentioned(prompt, wanted.mentions);
        const slugs = agents.map(({ agent: { slug } }) => slug);
        const [made, ...taskIds] = slugs.length === 0 ? [] : await creation.ids([wanted.slug, ...slugs]);
        const id = wanted.id ?? made;
        const taken = wanted.id === undefined ? undefined : (await listDialogs(deps.files, wanted.id)).find((one) => one.dialogId === id);
        if (taken) return refused({ kind: "exists", filename: taken.filename });
        const mentions = mentionsOfAgents(agents, taskIds);
        const prepared = await creation.prepare(wanted, { id, mentions });
        const { dialog } = prepared.state;
        const before = withoutLast(dialog);
        const room = {
          dialogId: prepared.id,
          before,
          allowing: dialog,
          message: sectionCount(dialog),
          prompt: prompt ?? "",
          ...currentTarget(dialog),
        };
        const tasks = await answering.prepare(agents, mentions, room);
        const all = [prepared, ...tasks];
        const stored = await deps.store.other(
          all.map(({ change }) => change),
          { durability: "strict", expect: all.map(({ path }) => ({ path, version: null })), by: agent(prepared.id) },
        );
        if (!stored.ok) return refused({ kind: "storage", message: storageMessage(stored.failure.kind) });
        const live = registry.adopt(prepared, stored.version, onFrame);
        turns.perform(live, prepared.effects);
        answering.begin(tasks, stored.version);
        return { ok: true, value: live };
      }),
    async continueFresh(id, prompt, onFrame) {
      const taken = await withLive(id, async (live): Promise<Outcome<NewDialog>> => {
        const { format } = live.state.dialog;
        if (!isOwnFormat(format)) return refused({ kind: "format", format });
        if (isBusy(live)) return refused({ kind: "active" });
        await deps.store.flush();
        const wanted = await continuation(live, prompt, deps.files);
        return wanted ? { ok: true, value: wanted } : refused({ kind: "unknown-dialog" });
      });
      return taken.ok ? dialogs.create(taken.value, onFrame) : taken;
    },
    async fork(id, wanted, onFrame) {
      const taken = await withLive(id, async (live): Promise<Outcome<NewDialog>> => {
        const { dialog } = live.state;
        const { format } = dialog;
        if (isRecord(dialog)) {
          // No provider of Vibey's has answered in it.
          const provider = wanted.provider ?? providers[0] ?? "";
          const state = { ...live.state, dialog: toDialog(dialog, live.id) };
          const target = { provider, model: wanted.model ?? deps.defaultModel(provider) };
          return forkOf({ id: live.id, path: live.path, state }, { ...wanted, ...target }, deps.files);
        }
        return isOwnFormat(format) ? forkOf(live, wanted, deps.files) : refused({ kind: "format", format });
      });
      return taken.ok ? dialogs.create(taken.value, onFrame) : taken;
    },
    createRecord: (slug, dialog, by, status = "waiting") =>
      creation.oneByOne(async () => {
        const [id = ""] = await creation.ids([slug]);
        const filename = dialogFilename(id, status);
        const path = vibeyPath(filename);
        const change: Change = { op: "write", path, data: pieces(dialog) };
        const stored = await deps.store.other([change], { durability: "strict", expect: [{ path, version: null }], by });
        if (!stored.ok) return refused({ kind: "storage", message: storageMessage(stored.failure.kind) });
        const state = { dialog, status, turn: null };
        const live = registry.adopt({ id, filename, path, state, text: serialiseDialog(dialog), change, effects: [] }, stored.version);
        return { ok: true, value: live };
      }),
    changeRecord: (id, by, change) =>
      withLive(id, async (live) => {
        if (!isRecord(live.state.dialog)) return refused({ kind: "format", format: live.state.dialog.format });
        const { taken, value } = change(live);
        if (taken === null) return { ok: true, value };
        const stored = await outcome(live, await storeChange(live, taken, by, deps));
        return stored.ok ? { ok: true, value } : stored;
      }),
    async side(id, { message, topic }) {
      const taken = await withLive(id, async (live): Promise<Outcome<NewDialog>> => {
        const { dialog } = live.state;
        if (!isOwnFormat(dialog.format)) return refused({ kind: "format", format: dialog.format });
        const origin = originOf(dialog, id, message);
        return origin.ok ? { ok: true, value: sideDialog(origin.value, topic, dialog, currentTarget(dialog)) } : refused(origin.refusal);
      });
      return taken.ok ? dialogs.create(taken.value) : taken;
    },
    put: (id, wanted, onFrame) =>
      withLive(id, async (live) => {
        const changed = lastCalls(live.state.dialog).filter((call) => isDecidedOtherwise(call, wanted));
        if (changed.length > 0) return refused({ kind: "changed", ids: changed.map((call) => call.id) });
        if (isRecord(live.state.dialog)) return inRecord(live, await applyDecisions(live, wanted, deps));
        const { key } = wanted;
        if (key !== undefined && hasMessage(live.state.dialog, key, deps.now().getTime() - limits.messageKeyMs))
          return { ok: true, value: live };
        const stale = staleAnswer(live, wanted);
        if (stale) return refused(stale);
        const provider = currentProvider(live.state.dialog);
        const model = currentModel(live.state.dialog);
        if (onFrame) live.frames.add(onFrame);
        const event: Extract<Event, { type: "put" }> = {
          type: "put",
          decisions: wanted.decisions,
          authority: wanted.authority,
          prompt: wanted.prompt,
          ...(wanted.again ? { again: true } : {}),
          ...(wanted.changes === undefined ? {} : { changes: wanted.changes }),
          ...(key === undefined ? {} : { key }),
          provider: wanted.provider ?? provider,
          model: wanted.model ?? (wanted.provider === null || wanted.provider === provider ? model : deps.defaultModel(wanted.provider)),
          time: now(),
        };
        // While a turn continues a message is refused: no one is looked for.
        const agents = wanted.prompt === null || live.state.turn ? [] : await deps.agents.mentioned(wanted.prompt, wanted.mentions);
        const [first, ...rest] = agents;
        const inSequence = wanted.order === "sequence";
        // In a sequence the others come when the first has answered.
        const order = inSequence ? rest.map(({ agent: { slug } }) => slug) : [];
        const begun = first === undefined || !inSequence ? agents : [first];
        if (wanted.order === "turns" && !live.state.turn && agents.length < 2)
          return refused({ kind: "too-few", agents: agents.map(({ agent: { slug } }) => slug) });
        const done = await (agents.length === 0
          ? turns.act(live, event)
          : wanted.order === "turns"
            ? answering.turns(live, event, agents)
            : answering.put(live, { ...event, order }, begun));
        if (onFrame && (!done.ok || !live.state.turn)) live.frames.delete(onFrame);
        return outcome(live, done);
      }),
    resolve: (id) =>
      withLive(id, async (live) => {
        const { dialog } = live.state;
        const from = forkedFrom(dialog.head);
        if (from === null) return refused({ kind: "no-fork" });
        const { provider, model } = currentTarget(dialog);
        const event: Extract<Event, { type: "put" }> = {
          type: "put",
          decisions: new Map(),
          authority: [],
          prompt: resolveWords,
          resolves: from.dialogId,
          provider,
          model,
          time: now(),
        };
        return outcome(
          live,
          live.state.turn ? await turns.act(live, event) : await answering.put(live, event, [await deps.agents.resolver()]),
        );
      }),
    async sendSummary(id) {
      const fork = await registry.find(id);
      if (!fork) return refused({ kind: "unknown-dialog" });
      const { dialog } = fork.state;
      const summary = summaryIn(dialog);
      // It goes to no other dialog than the one that the header names.
      if (summary === null || summary.to !== forkedFrom(dialog.head)?.dialogId) return refused({ kind: "no-summary" });
      const { to, ...reply } = summary;
      const sent = await sendTo(to, dialog, id, reply);
      return sent.ok ? setStatus(id, "done") : sent;
    },
    setStatus,
    stopBackground: (id, background) =>
      withLive(id, async (live) =>
        backgrounds.stop(id, background) ? { ok: true, value: live } : refused({ kind: "not-running", id: background }),
      ),
    stopAll() {
      backgrounds.stopAll();
      return stopAll({
        list: () => listDialogs(deps.files),
        running: () => queue.running().map(({ id }) => id),
        hold: () => queue.hold(),
        stop: (id) =>
          setStatus(id, "waiting").then(
            ({ ok }) => ok,
            (error: unknown) => {
              deps.report(error);
              return false;
            },
          ),
      });
    },
    async limits() {
      const inForce = await docLimits.read();
      const names = ["agents", "depth", "launches", "requests", "command"] as const;
      return {
        limits: names.map((name) => ({ name, ...inForce[name] })),
        cost: inForce.cost ? { ...inForce.cost, spent: await deps.costs.spent(inForce.cost) } : null,
        run: inForce.run,
        running: queue.running().map(({ id }) => id),
        queued: queue.waiting().map(({ id }) => id),
      };
    },
    async replace(filename, text, expect) {
      const id = idOf(filename);
      const path = vibeyPath(filename);
      const write = async (live: Live | null): Promise<Outcome<number>> => {
        if (live && isBusy(live)) return refused({ kind: "active" });
        if (live && live.path !== path) return refused({ kind: "exists", filename: live.path.slice("vibey/".length) });
        // A CR in a text becomes a line's end once a text field returns it: it is one from the start.
        const clean = cleanCharacters(text);
        const whole = recover(clean.endsWith("\n") ? clean : `${clean}\n`);
        const stored = await deps.store.other(
          [{ op: "write", path, data: live ? whole + editedMarks(whole, live.state.dialog, now()) : whole }],
          {
            durability: "strict",
            by: human,
            expect: [{ path, version: expect ?? live?.version ?? null }],
          },
        );
        if (!stored.ok) {
          const { kind } = stored.failure;
          return refused(kind === "conflict" ? { kind: "changed", ids: [] } : { kind: "storage", message: storageMessage(kind) });
        }
        const reopened = live ? await registry.handOver(live) : await registry.find(id);
        if (reopened) announce(reopened, deps.bus);
        return { ok: true, value: reopened?.version ?? stored.version };
      };
      const done = await withLive(id, write);
      return !done.ok && done.refusal.kind === "unknown-dialog" ? write(null) : done;
    },
    remove: (filename) =>
      withLive(idOf(filename), async (live) => {
        if (live.path !== vibeyPath(filename)) return refused({ kind: "unknown-dialog" });
        if (isBusy(live)) return refused({ kind: "active" });
        const stored = await deps.store.other([{ op: "remove", path: live.path }], { durability: "strict", by: human });
        if (!stored.ok) return refused({ kind: "storage", message: storageMessage(stored.failure.kind) });
        backgrounds.stopAllOf(live.id);
        registry.forget(live);
        return { ok: true, value: null };
      }),
    async recoverAll() {
      await docLimits.read();
      const waiting: { readonly live: Live; readonly effects: readonly Effect[]; readonly since: string; readonly launched: boolean }[] =
        [];
      const resumed = (live: Live, effects: readonly Effect[]): void => {
        const { dialog } = live.state;
        const launched = launchedBy(dialog.head) !== null && hasNotBegun(dialog);
        waiting.push({ live, effects, since: queuedIn(dialog)?.since ?? "", launched });
      };
      for (const { status, dialogId } of await listDialogs(deps.files)) {
        // One file that can't be read must not keep the others, and the docs, from being opened.
        if (status === "active") await registry.findAtStart(dialogId, resumed).catch(deps.report);
      }
      // They count when they begin, so what began before is counted first.
      if (waiting.some(({ launched }) => launched)) await launches.remember().catch(deps.report);
      const oldestFirst = waiting.toSorted((one, other) => (one.since < other.since ? -1 : 1));
      // All are in the queue before the first one begins.
      const release = queue.hold();
      for (const { live, effects, launched } of oldestFirst) turns.perform(live, effects, { launched, resumed: true });
      release();
      void bringOwed().catch(deps.report);
    },
  };
  return dialogs;
}

/** What a person answers is what was asked: null when each answer names the open question, or none is open about its host. */
function staleAnswer(live: Live, { authority, questions }: PutDialog): PutRefusal | null {
  const open = live.activity?.kind === "running" ? live.activity.ask : null;
  const said = networkNow(live.state);
  for (const change of authority) {
    if (!("host" in change)) continue;
    const given = questions.get(change.host) ?? null;
    const isOpen = open?.host === change.host;
    // Narrowing a permission is always safe.
    const needsName = isOpen && exceeds(change.word, said.get(change.host));
    if (given === null ? !needsName : isOpen && open.question === given) continue;
    return { kind: "question", host: change.host, given, open: open && { host: open.host, question: open.question } };
  }
  return null;
}

function refused(refusal: PutRefusal): { readonly ok: false; readonly refusal: PutRefusal } {
  return { ok: false, refusal };
}

function idOf(filename: string): string {
  const parsed = parseDialogFilename(filename);
  if (!parsed) throw new RangeError(`not a dialog's file name: ${filename}`);
  return parsed.dialogId;
}

/** Says that the file was edited. Where the user has removed earlier such lines there are as many again, so that each edit counts one more than the last. */
function editedMarks(file: string, before: Dialog, time: string): string {
  const dialog = parseDialog(file);
  const count = Math.max(1, generationOf(before) + 1 - generationOf(dialog));
  const { ops } = addMeta(
    dialog,
    Array.from({ length: count }, () => ({ key: "Edited", value: time })),
  );
  return ops.map((op) => op.text).join("");
}

function storageMessage(kind: string): string {
  return kind === "full"
    ? "the browser's storage is full; nothing was changed"
    : `the browser couldn't save it (${kind}); nothing was changed`;
}
