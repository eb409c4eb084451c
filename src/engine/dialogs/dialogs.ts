import { isRecord } from "../../dialog/outside.ts";
import { runOf, type RunLimits } from "../../dialog/run.ts";
import type { Dialog } from "../../dialog/model.ts";
import type { Files } from "../../fs/files.ts";
import type { DialogListing, LimitsAnswer } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { createDelivery } from "../agents/deliver.ts";
import { createNotDelivered } from "../agents/not-delivered.ts";
import { definitionToTell } from "../agents/redefined.ts";
import { createSignals } from "../agents/signals.ts";
import type { Definition } from "../../dialog/redefined.ts";
import type { Costs } from "../cost/gate.ts";
import { createNetworks } from "../network/network.ts";
import { stopInRecord } from "../outside/record-decisions.ts";
import { lookInto } from "../projections/facts.ts";
import { createFileReads } from "../projections/file-reads.ts";
import type { Queue } from "../scheduler/queue.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import { createScheduler } from "../scheduler/scheduler.ts";
import { stopAll } from "../scheduler/stop-all.ts";
import { createAskProvider } from "../turn/ask-provider.ts";
import { createBackgrounds } from "../turn/background.ts";
import type { MachineOptions } from "../turn/machine/model.ts";
import { createRunTool } from "../turn/run-tool.ts";
import { systemOf } from "../turn/system-of.ts";
import { createToolbox } from "../turn/toolbox.ts";
import { asksAlways } from "../turn/tools/vfs.ts";
import { createTurns } from "../turn/turns.ts";
import { createAnswering } from "./answering.ts";
import { createCreation } from "./create.ts";
import type { DialogsDeps } from "./deps.ts";
import { createDialogAccess } from "./dialog-access.ts";
import { createFileEdits, type FileEdits } from "./file-edits.ts";
import { type Live, tell } from "./live.ts";
import { listDialogs } from "./open.ts";
import { type Outcome, refused } from "./outcome.ts";
import { createPuts, type Puts } from "./put.ts";
import { createRecords, type Records } from "./records.ts";
import { recoverAll } from "./recover-all.ts";
import { createRegistry, type Registry } from "./registry.ts";
import { createRunCommands, type RunCommands } from "./run-commands.ts";
import { createStart, type Start } from "./start.ts";
import { createSummaries } from "./summaries.ts";

/**
 * The dialogs of a project: creating, continuing, stopping and reading them. The permanent content of a dialog is in its file. This module only
 * holds current activity and the order in which it happens.
 */
export interface Dialogs extends Start, Puts, Records, FileEdits {
  /** `look` says which dialogs without known facts are read. */
  list(look?: "none" | "newest" | "all"): Promise<DialogListing[]>;
  /** The dialog with this id, opened. Null if there is none. */
  get(id: string): Promise<Live | null>;
  /** The content of the dialog, if this engine has it open. */
  peek(id: string): Dialog | null;
  /** Delivers the summary of a fork to the original dialog, and marks the fork as done. */
  sendSummary(id: string): Promise<Outcome<Live>>;
  setStatus(id: string, status: "waiting" | "done"): Promise<Outcome<Live>>;
  /** Stops a background command. */
  stopBackground(id: string, background: string): Promise<Outcome<Live>>;
  /** Stops every dialog that is active or queued. Returns their ids. */
  stopAll(): Promise<readonly string[]>;
  limits(): Promise<LimitsAnswer>;
  readonly runs: RunCommands;
  /** The limits of a run for which the user sets none. */
  runLimits(): Promise<RunLimits>;
  /**
   * Cleans up after an earlier engine: dialogs that it left `active` are marked, and dialogs that only waited in the queue enter it again, oldest
   * first. Then delivers what is pending.
   */
  recoverAll(): Promise<void>;
}

/** Creates the parts and connects them. Each part gets only what it uses. */
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
  const machine = { store: deps.store, bus: deps.bus, options };
  const now = () => deps.now().toISOString();
  const isProvider = (name: string) => providers.includes(name);
  const fileReads = createFileReads(deps.fileChanges);
  const creation = createCreation(deps, options);
  const backgrounds = createBackgrounds({ ...deps, fileReads, changed: (id) => void tellState(id).catch(deps.report) });
  const registry = createRegistry(deps, machine, { docLimits, backgrounds });
  const find = (id: string) => registry.find(id);
  const networks = deps.outside && createNetworks({ ...deps, ...deps.outside, find });

  async function tellState(id: string): Promise<void> {
    const live = await find(id);
    if (live) tell(live, { kind: "state" });
  }

  async function definition(path: string): Promise<Definition | null> {
    const { entryAgent } = await import("../agents/run-agent.ts");
    const found = await entryAgent(path, deps.files);
    return typeof found === "string" ? null : { hash: found.agent.hash, text: found.agent.text };
  }

  const failing = { ...deps, handOver: (live: Live) => registry.handOver(live) };
  const signalled = createSignals({
    find,
    runs,
    store: (live, signals, wake, redefined) => {
      const news = redefined === null ? {} : { redefined: { ...redefined, dialogId: live.id } };
      return turns.act(live, { type: "signals", signals, wake, time: now(), ...news });
    },
    definition,
    notDelivered: createNotDelivered(failing),
    report: deps.report,
  });
  const delivery = createDelivery({
    find,
    store: (live, replies) => answering.storeReplies(live, replies),
    notDelivered: createNotDelivered(failing),
    deliverSideSummary: (live) => summaries.deliverSide(live),
    report: deps.report,
  });
  const starting = { ...deps, isProvider, providers, creation, launches, runs, signalled };
  const turns = createTurns({
    ...deps,
    machine,
    docLimits,
    queue,
    runs,
    registry,
    askProvider: createAskProvider({ ...deps, docLimits, runs, fileReads, toolbox }),
    runTool: createRunTool({ ...deps, backgrounds, fileReads, toolbox, networks, registry, starting }),
    // Deliver what waited for the end of the dialog's turn.
    rested(live) {
      delivery.rested(live);
      if (runOf(live.state.dialog.head) !== null) signalled(live.id);
    },
  });
  registry.listen({
    opened(live) {
      delivery.opened(live);
      if (runOf(live.state.dialog.head) !== null) signalled(live.id);
    },
    lost: (live, why) => void turns.takeBack(live, why).catch(deps.report),
  });
  const answering = createAnswering({
    ...deps,
    creation,
    docLimits,
    options,
    isProvider,
    window: (name, model) => deps.provider(name)?.window(model) ?? null,
    systemOf: (asked) => systemOf(asked, deps),
    act: (live, event, extra, stored) => turns.act(live, event, extra, stored),
    begin: (task, version) => turns.perform(registry.adopt(task, version), task.effects),
  });
  const access = createDialogAccess(registry, turns);
  const { withLive, outcome } = access;
  const redefined = (live: Live) =>
    definitionToTell(live, { runs, definition }).catch((error: unknown) => {
      // The user's message goes first.
      deps.report(error);
      return null;
    });
  const puts = createPuts({ ...deps, find, answering, turns, access, redefined });
  const start = createStart({ ...deps, creation, docLimits, answering, registry, turns, withLive, providers });

  async function setStatus(id: string, status: "waiting" | "done"): Promise<Outcome<Live>> {
    backgrounds.stopAllOf(id);
    return withLive(id, async (live) => {
      if (status === "waiting" && isRecord(live.state.dialog)) return outcome(live, await stopInRecord(live, deps));
      const stopped = await turns.stop(live, status);
      // A background command may have been started in the meantime.
      backgrounds.stopAllOf(id);
      return outcome(live, stopped);
    });
  }

  const summaries = createSummaries({ find, access, turns, setStatus, now });

  return {
    ...start,
    ...puts,
    ...createRecords({ store: deps.store, bus: deps.bus, creation, registry, access }),
    ...createFileEdits({ store: deps.store, bus: deps.bus, registry, backgrounds, runs, withLive, now: deps.now }),
    runs: createRunCommands({
      runs,
      queue,
      dialogs: { get: find, put: (id, wanted) => puts.put(id, wanted), setStatus },
      say: (id, lines) => withLive(id, async (live) => outcome(live, await turns.act(live, { type: "words", lines }))),
      signalled,
      now: deps.now,
    }),
    runLimits: async () => (await docLimits.read()).run,
    list: (look = "none") => listWithFacts(deps.files, registry, look),
    get: find,
    peek: (id) => registry.peek(id)?.state.dialog ?? null,
    sendSummary: (id) => summaries.send(id),
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
        async stop(id) {
          try {
            return (await setStatus(id, "waiting")).ok;
          } catch (error) {
            deps.report(error);
            return false;
          }
        },
      });
    },
    limits: () => limitsInForce(docLimits, queue, deps.costs),
    recoverAll: () => recoverAll({ files: deps.files, docLimits, queue, launches, registry, turns, report: deps.report }),
  };
}

async function listWithFacts(
  files: Files,
  registry: Pick<Registry, "knows" | "learn" | "now">,
  look: "none" | "newest" | "all",
): Promise<DialogListing[]> {
  const all = await listDialogs(files);
  if (look !== "none") {
    const unknown = all.filter(({ dialogId }) => !registry.knows(dialogId));
    const wanted = look === "all" ? unknown : unknown.slice(0, limits.factsDialogs);
    for (const [id, facts] of await lookInto(files, wanted)) registry.learn(id, facts);
  }
  return all.map((file) => ({ ...file, ...registry.now(file.dialogId) }));
}

async function limitsInForce(docLimits: DocLimits, queue: Queue, costs: Pick<Costs, "spent">): Promise<LimitsAnswer> {
  const inForce = await docLimits.read();
  const names = ["agents", "depth", "launches", "requests", "command"] as const;
  return {
    limits: names.map((name) => ({ name, ...inForce[name] })),
    cost: inForce.cost ? { ...inForce.cost, spent: await costs.spent(inForce.cost) } : null,
    run: inForce.run,
    running: queue.running().map(({ id }) => id),
    queued: queue.waiting().map(({ id }) => id),
  };
}
