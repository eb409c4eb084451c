import { agent } from "../../fs/actor.ts";
import type { Call } from "../../dialog/model.ts";
import { runOf } from "../../dialog/run.ts";
import { startedAgent, type StartDeps } from "../agents/started-agent.ts";
import type { Creation, Prepared } from "../dialogs/create.ts";
import type { Dispatched } from "../dialogs/dispatch.ts";
import type { Live, Work } from "../dialogs/live.ts";
import type { Registry } from "../dialogs/registry.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { Networks } from "../network/network.ts";
import { launchedBy } from "../scheduler/launched-by.ts";
import type { Launches } from "../scheduler/launches.ts";
import type { Runs } from "../scheduler/runs.ts";
import { commandLimit } from "./command-limit.ts";
import { showOutput } from "./live-output.ts";
import { currentModel, currentProvider } from "./machine/next-step.ts";
import { readerOf } from "./reader-of.ts";
import { runCommand, type RunContext, runPlanned } from "./run-call.ts";
import { runSlotAt } from "./run-slot.ts";
import type { Toolbox } from "./toolbox.ts";
import { checkLaunch, launchAgent, launchInput } from "./tools/launch-agent.ts";
import { runCommandDefinition } from "./tools/run-command.ts";
import { checkSignal, planSignal, signalParent } from "./tools/signal-parent.ts";
import { checkSpawn, spawnAgent } from "./tools/spawn-agent.ts";
import { type Plan, type PlanContext, refuse } from "./tools/tool.ts";

/** What tools act on: the project's files, the sandbox, and what agents know of the files. */
export interface ToolDeps extends Pick<RunContext, "files" | "sandbox" | "fileChanges" | "backgrounds" | "fileReads" | "now"> {
  readonly toolbox: Pick<Toolbox, "fileTool">;
  readonly store: Pick<DialogStore, "other" | "flush">;
  /** Null if commands have no network. */
  readonly networks: Networks | null;
  /** The current state of other dialogs. */
  readonly registry: Pick<Registry, "peek">;
  readonly starting: StartingDeps;
}

/** What tools need to start agents or to send them signals. */
export interface StartingDeps extends StartDeps {
  readonly providers: readonly string[];
  readonly creation: Creation;
  readonly launches: Launches;
  readonly runs: Runs;
  /** An agent of a run has sent a signal to the agent that started it. */
  readonly signalled: (dialogId: string) => void;
}

/** How the turn handles the events of a call. */
export interface ToolHooks {
  /** Stores an event in the dialog's order. See `RunContext`. */
  readonly dispatch: RunContext["dispatch"];
  /** The dialog of a new agent is stored, so the agent enters the queue. */
  launched(prepared: Prepared, version: number): void;
  /** The command has to wait in the queue. */
  waits(): void;
  notice(message: string): void;
}

/** Runs one call. Returns null if the dialog was stopped before the call began. */
export type RunTool = (live: Live, work: Work, call: Call, hooks: ToolHooks) => Promise<Dispatched | null>;

export function createRunTool(deps: ToolDeps): RunTool {
  return async (live, work, call, hooks) => {
    const context = contextOf(live, work, call, hooks, deps);
    // Agents read the dialogs' files, so everything that is shown must be stored.
    await deps.store.flush();
    if (live.work !== work) return null;
    if (call.name === runCommandDefinition.name) return runCommand(call, context);
    const fileTool = deps.toolbox.fileTool(call.name);
    if (fileTool) return runPlanned(call, fileTool, context);
    const start: Start = { live, call, context, hooks, deps: deps.starting };
    if (call.name === launchAgent.name) return launch(start);
    if (call.name === spawnAgent.name) return spawn(start);
    if (call.name === signalParent.name) return signal(start);
    throw new Error(`no tool ${call.name}; it should have been answered before`);
  };
}

function contextOf(live: Live, work: Work, call: Call, hooks: ToolHooks, deps: ToolDeps): RunContext {
  return {
    dialogId: live.id,
    files: deps.files,
    sandbox: deps.sandbox,
    fileChanges: deps.fileChanges,
    network: deps.networks?.of(live.id, call.id) ?? null,
    commandLimit: () => commandLimit(live),
    signal: work.abort.signal,
    now: deps.now,
    backgrounds: deps.backgrounds,
    onOutput(output) {
      if (live.work === work) showOutput(live, call.id, output);
    },
    outputEnds() {
      if (live.work === work) live.output = null;
    },
    waits: () => hooks.waits(),
    fileReads: deps.fileReads,
    dialog: () => live.state.dialog,
    storeFiles: ({ changes, expect }) => deps.store.other(changes, { durability: "relaxed", expect, by: agent(live.id) }),
    dispatch: (event, extra, stored) => hooks.dispatch(event, extra, stored),
    notice: (message) => hooks.notice(message),
    readingNow: async (path) => readerOf(path, live.id, deps.starting.runs, (id) => deps.registry.peek(id)?.state.dialog ?? null),
  };
}

/** A call that starts an agent or sends a signal to one. */
interface Start {
  readonly live: Live;
  readonly call: Call;
  readonly context: RunContext;
  readonly hooks: ToolHooks;
  readonly deps: StartingDeps;
}

/**
 * The same context for work that runs in the creation's order (`oneByOne`). After a stop, it no longer waits for the dialog's order, because the
 * work that is running there may itself wait for the creation's order. The stop has answered the call, so none of its changes would be stored.
 */
function untilStopped(context: RunContext, { id }: Call): RunContext {
  const settled: Dispatched = { ok: false, refusal: { kind: "settled", id } };
  const stop = context.signal;
  return {
    ...context,
    async dispatch(...given) {
      let stopped = (): void => undefined;
      const isStopped = new Promise<Dispatched>((resolve) => {
        stopped = () => resolve(settled);
      });
      stop.addEventListener("abort", stopped);
      try {
        return stop.aborted ? settled : await Promise.race([context.dispatch(...given), isStopped]);
      } finally {
        stop.removeEventListener("abort", stopped);
      }
    },
  };
}

/** The new dialog's file, the claim and the result are one transaction. The new agent starts once it is stored. */
function launch({ live, call, context, hooks, deps }: Start): Promise<Dispatched> {
  return deps.creation.oneByOne(() => {
    let prepared: Prepared | undefined;
    const tool = {
      definition: launchAgent,
      check: (input: Call["input"]) => checkLaunch(input, deps.providers),
      async plan(input: Call["input"]): Promise<Plan> {
        prepared = undefined;
        const checked = await deps.launches.check(live);
        if (!checked.ok) return refuse(checked.refusal);
        const started = await startedAgent(launchInput(input), live.state.dialog, deps);
        if (!started.ok) return refuse(started.refusal);
        prepared = await deps.creation.prepare({ ...started.wanted, launchedBy: live.id });
        const { id, filename, path, state, change } = prepared;
        const { dialog, status } = state;
        const launched = { dialogId: id, filename, status, provider: currentProvider(dialog), model: currentModel(dialog) };
        const queued = checked.waits === null ? {} : { queued: checked.waits };
        return { changes: [change], expect: [{ path, version: null }], result: { success: true, launched, ...queued } };
      },
    };
    return runPlanned(call, tool, untilStopped(context, call), (version) => {
      if (prepared) hooks.launched(prepared, version);
    });
  });
}

/** Like `launch`, but also writes the agent's file. */
async function spawn({ live, call, context, hooks, deps }: Start): Promise<Dispatched> {
  const { planSpawn } = await import("./spawn.ts");
  return deps.creation.oneByOne(async () => {
    const own = runOf(live.state.dialog.head);
    if (own) await deps.runs.read(own.run);
    await deps.launches.remember();
    let prepared: Prepared | null = null;
    const tool = {
      definition: spawnAgent,
      check: checkSpawn,
      async plan(input: Call["input"], planning: PlanContext): Promise<Plan> {
        const placeAt = (run: string, depth: number) => runSlotAt(run, depth, deps.runs);
        const spawned = await planSpawn(live, input, planning, { ...deps, placeAt });
        ({ prepared } = spawned);
        return spawned.plan;
      },
    };
    return runPlanned(call, tool, untilStopped(context, call), (version) => {
      if (prepared) hooks.launched(prepared, version);
    });
  });
}

async function signal({ live, call, context, deps }: Start): Promise<Dispatched> {
  const own = runOf(live.state.dialog.head);
  if (own) await deps.runs.read(own.run);
  const tool = {
    definition: signalParent,
    check: checkSignal,
    plan: async (input: Call["input"]): Promise<Plan> => planSignal(live.id, input, deps.runs),
  };
  return runPlanned(call, tool, context, () => {
    const parent = launchedBy(live.state.dialog.head);
    if (own && parent !== null) deps.signalled(parent);
  });
}
