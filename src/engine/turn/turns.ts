import { startedAgent } from "../agents/started-agent.ts";
import { turnLimitReason } from "../agents/turn-limit.ts";
import { agent } from "../../fs/actor.ts";
import { agentOf } from "../../dialog/agent.ts";
import type { Activity, Frame } from "../../protocol/index.ts";
import { grants } from "../../dialog/authority.ts";
import { grantedValues } from "../../dialog/grants.ts";
import type { Call } from "../../dialog/model.ts";
import { runOf } from "../../dialog/run.ts";
import { withoutLast } from "../../dialog/sections.ts";
import type { Effect, Event } from "./machine/model.ts";
import { isUndecided, lastCalls } from "./machine/queries.ts";
import { queuedIn } from "./machine/queued.ts";
import { currentModel, currentProvider } from "./machine/next-step.ts";
import { tokensUsed } from "./machine/usage.ts";
import type { Networks } from "../network/network.ts";
import { oneLine } from "../providers/one-line.ts";
import { checkLaunch, launchAgent, launchInput } from "./tools/launch-agent.ts";
import { runCommandDefinition } from "./tools/run-command.ts";
import { systemOf } from "./system-of.ts";
import { checkSignal, planSignal, signalParent } from "./tools/signal-parent.ts";
import { checkSpawn, spawnAgent } from "./tools/spawn-agent.ts";
import { type Plan, type PlanContext, refuse } from "./tools/tool.ts";
import { runSlotAt, runSlotOf, runStopReason } from "./run-slot.ts";
import { readerOf } from "./reader-of.ts";
import { commandLimit } from "./command-limit.ts";
import type { Backgrounds } from "./background.ts";
import type { Creation, Prepared } from "../dialogs/create.ts";
import type { DialogsDeps } from "../dialogs/deps.ts";
import { dispatch, type Dispatched, type DispatchDeps } from "../dialogs/dispatch.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import { launchedBy } from "../scheduler/launched-by.ts";
import type { Launches } from "../scheduler/launches.ts";
import type { Runs } from "../scheduler/runs.ts";
import { inOrder, type Live, sendFrame, tell, type Work } from "../dialogs/live.ts";
import { showOutput } from "./live-output.ts";
import type { QueueEntry, Queue } from "../scheduler/queue.ts";
import type { Registry } from "../dialogs/registry.ts";
import { endText, respond } from "./respond.ts";
import { runCommand, type RunContext, runPlanned } from "./run-call.ts";
import type { FileReads } from "../projections/file-reads.ts";
import { showActivity } from "../projections/show-activity.ts";
import type { Extra } from "../dialogs/store.ts";
import { subjectsOf } from "../dialogs/subjects.ts";
import type { Toolbox } from "./toolbox.ts";
import { turnResult } from "./turn-result.ts";

export interface TurnsDeps extends DialogsDeps {
  readonly machine: DispatchDeps;
  readonly toolbox: Toolbox;
  readonly providers: readonly string[];
  readonly creation: Creation;
  readonly docLimits: DocLimits;
  readonly queue: Queue;
  readonly launches: Launches;
  readonly runs: Runs;
  /** An agent of a run has said something to the one that started it. */
  readonly signalled: (dialogId: string) => void;
  readonly fileReads: FileReads;
  readonly backgrounds: Backgrounds;
  /** null: commands have no network. */
  readonly networks: Networks | null;
  /** A turn is over: nothing continues in this dialog by itself. */
  readonly rested: (live: Live) => void;
  /** Known after the registry, which tells the turns of text that was lost. */
  readonly registry: () => Registry;
}

/** What continues on its own: asking providers, running calls, and what follows from each event. */
export interface Turns {
  /** Stores the event and does what follows. The caller holds the dialog's order. */
  act(live: Live, event: Event, extra?: Extra, stored?: (version: number) => void): Promise<Dispatched>;
  perform(live: Live, effects: readonly Effect[], how?: Coming): void;
  stop(live: Live, status: "waiting" | "done"): Promise<Dispatched>;
  /** The file could not be written, or is not the one that is known here: what continues ends, and the file is read again. */
  takeBack(live: Live, why: string): Promise<void>;
}

/** Why a dialog comes into the queue, where it is no word of the user's. */
interface Coming {
  /** It begins because an agent launched it, so it may have to wait for longer. */
  readonly launched?: boolean;
  /** It waited in the queue of an engine that is gone, and the key of its provider may be gone too. */
  readonly resumed?: boolean;
}

export function createTurns(deps: TurnsDeps): Turns {
  const starting = { agents: deps.agents, defaultModel: deps.defaultModel, isProvider: (name: string) => deps.providers.includes(name) };
  const now = () => deps.now().toISOString();

  async function act(live: Live, event: Event, extra?: Extra, stored?: (version: number) => void): Promise<Dispatched> {
    // A step that asks the provider is bound by the limits of doc-main.md as it is now.
    if (!deps.docLimits.known()) await deps.docLimits.read();
    // Anyone who still held it while it was read again is too late, as if another had written the file.
    if (live.gone) return { ok: false, failure: { kind: "conflict", path: live.path, expected: live.version, found: null } };
    const done = await dispatch(live, event, deps.machine, extra);
    if (done.ok) {
      // Streamed text says nothing of a run.
      if (event.type !== "text" && runOf(live.state.dialog.head) !== null) deps.runs.note(live.id, live.state);
      stored?.(done.version);
      perform(live, done.effects);
    }
    return done;
  }

  function perform(live: Live, effects: readonly Effect[], { launched = false, resumed = false }: Coming = {}): void {
    const place = runSlotOf(live, deps.runs);
    const enter = (begins: QueueEntry["begin"]) =>
      deps.queue.enter(live, {
        launched,
        ...(place ? { run: place } : {}),
        ...(resumed ? { needs: () => deps.lacksKey(currentProvider(live.state.dialog)) } : {}),
        waits: () => noteQueued(live),
        begin: begins,
      });
    for (const effect of effects) {
      switch (effect.type) {
        case "request":
          enter((waited) => begin(live, (work) => askProvider(live, work, effect.provider, effect.model, waited)));
          break;
        case "run":
          enter(() => begin(live, (work) => runCall(live, work, effect.call)));
          break;
        case "abort":
          live.work?.abort.abort();
          rest(live);
          setActivity(live, null);
          break;
        case "tool_request":
          deps
            .registry()
            .readBefore(live)
            .then(() => tell(live, { kind: "state" }))
            .catch(deps.report);
          deps.registry().readPatterns(live).catch(deps.report);
          sendFrame(live, {
            type: "tool_request",
            toolCalls: effect.calls.map(({ id, name, input }) => ({ id, name, input })),
            dialogId: live.id,
            filename: live.path.slice("vibey/".length),
          });
          break;
        case "failed":
          sendFrame(live, { type: "error", error: effect.message });
          break;
        case "done":
          rest(live);
          setActivity(live, null);
          endFrames(live, { type: "done", result: turnResult(live, effect) });
          deps.rested(live);
          break;
      }
    }
  }

  /** The file says that the dialog waits for its turn, unless it does so already or has begun meanwhile. */
  function noteQueued(live: Live): void {
    inOrder(live, async () => {
      if (live.gone || live.state.turn === null) return;
      const done = await act(live, { type: "queued", time: now() });
      if (!done.ok && "failure" in done) await takeBack(live, done.failure.kind);
    }).catch(deps.report);
  }

  /** Nothing continues in it by itself anymore: its slot is free. */
  function rest(live: Live): void {
    live.work = null;
    live.output = null;
    deps.queue.leave(live);
  }

  function setActivity(live: Live, activity: Activity | null): void {
    showActivity(live, activity, deps.bus);
  }

  /** Starts what continues on its own. A mistake of ours in it must not leave a dialog that seems to work forever. */
  function begin(live: Live, run: (work: Work) => Promise<void>): void {
    // Its file was read again while what began it was being stored: another `Live` stands for it.
    if (live.gone) return deps.queue.leave(live);
    const work: Work = live.work ?? { abort: new AbortController(), writer: null, usage: null };
    live.work = work;
    run(work)
      .catch(async (error: unknown) => {
        deps.report(error);
        if (live.work !== work) return;
        const message = `Something went wrong in Vibey, so the agent was stopped: ${oneLine(String(error))}. Try again.`;
        sendFrame(live, { type: "error", error: message });
        notice(live, "fault", message);
        // In its turn only: anyone who stopped it before has perhaps begun something new, which is not this one's to end.
        await inOrder(live, async () => (live.work === work ? stop(live, "waiting", message) : null)).catch(deps.report);
        // Whatever the stop could do: no one works on it anymore.
        if (live.work !== work) return;
        rest(live);
        setActivity(live, null);
      })
      .catch(deps.report);
  }

  /** A stop that can't be stored stops all the same: the file is read again, and what was continuing is over. */
  async function stop(live: Live, status: "waiting" | "done", fault?: string): Promise<Dispatched> {
    const { work } = live;
    const tail = work ? endText(work, false) : null;
    const usage = work?.usage ?? null;
    const { dialog } = live.state;
    const cost = deps.costs.of(currentProvider(dialog), currentModel(dialog), usage);
    const event = { type: "stop", status, tail, usage, cost, time: now() } as const;
    const done = await act(live, fault === undefined ? event : { ...event, fault });
    if (!done.ok && "failure" in done) await takeBack(live, done.failure.kind);
    return done;
  }

  function notice(live: Live, kind: string, message: string): void {
    deps.bus.emit({ type: "notice", data: { kind, message } }, { dialogId: live.id });
  }

  async function askProvider(live: Live, work: Work, name: string, model: string, waited: boolean): Promise<void> {
    work.writer = null;
    work.usage = null;
    setActivity(live, { kind: "thinking" });
    const provider = deps.provider(name);
    const take = (make: () => Event | null) =>
      inOrder(live, async () => {
        if (live.work !== work) return false;
        const event = make();
        if (!event) return true;
        const done = await act(live, event);
        if (!done.ok && "failure" in done) await takeBack(live, done.failure.kind);
        return done.ok;
      });
    if (!provider) {
      const stopped = {
        kind: "error",
        reason: "bad-request",
        message: `the provider ${name} isn't set up here. Choose another one.`,
      } as const;
      await take(() => ({ type: "ended", stop: stopped, usage: null, window: null, tail: null, time: now() }));
      return;
    }
    if ((waited || queuedIn(live.state.dialog) !== null) && !(await take(() => ({ type: "asked", time: now() })))) return;
    const { dialog, turn } = live.state;
    // The section that the answer will stand in is open already; the request is about what stands before it.
    const asked = withoutLast(dialog);
    const { cost: limit = null } = await deps.docLimits.read();
    const held =
      turnLimitReason(asked) ??
      (await runStopReason(live.id, asked, deps.runs)) ??
      (await deps.costs.held({ dialogId: live.id, dialog: asked, turn, provider, model, limit }));
    if (live.work !== work) return;
    if (held !== null) {
      const stopped = { kind: "limit", which: held } as const;
      await take(() => ({ type: "ended", stop: stopped, usage: null, window: null, tail: null, time: now() }));
      return;
    }
    deps.fileReads.asked(live.id);
    const system = await systemOf(agentOf(asked), deps);
    if (live.work !== work) return;
    await respond(
      live,
      work,
      provider,
      {
        dialog: asked,
        model,
        system,
        tools: deps.toolbox.definitions(asked),
        tokensSoFar: tokensUsed(asked),
        maxTokens: agentOf(asked)?.bounds.maxTokens ?? null,
      },
      {
        dispatch: take,
        async subjects() {
          const { dialog: answered } = live.state;
          if (grantedValues(grants(answered)).length === 0) return new Map();
          return subjectsOf(lastCalls(answered).filter(isUndecided), deps.sandbox);
        },
        chunk: (content) => sendFrame(live, { type: "chunk", content }),
        activity: (activity) => setActivity(live, activity),
        cost: (usage) => deps.costs.of(name, model, usage),
        now: deps.now,
        later: deps.later,
      },
    );
  }

  async function runCall(live: Live, work: Work, call: Call): Promise<void> {
    setActivity(live, { kind: "running", callId: call.id, tool: call.name, ask: null });
    const context: RunContext = {
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
      waits: () => noteQueued(live),
      fileReads: deps.fileReads,
      dialog: () => live.state.dialog,
      storeFiles: ({ changes, expect }) => deps.machine.store.other(changes, { durability: "relaxed", expect, by: agent(live.id) }),
      dispatch: (event, extra, stored) => inOrder(live, () => act(live, event, extra, stored)),
      notice: (message) => notice(live, "authority", message),
      readingNow: async (path) => readerOf(path, live.id, deps.runs, (id) => deps.registry().peek(id)?.state.dialog ?? null),
    };
    // Agents read the dialogs' files: what is shown is there.
    await deps.store.flush();
    if (live.work !== work) return;
    const done = await runTool(live, call, context);
    if (!done.ok && "failure" in done) await takeBack(live, done.failure.kind);
  }

  function runTool(live: Live, call: Call, context: RunContext): Promise<Dispatched> {
    if (call.name === runCommandDefinition.name) return runCommand(call, context);
    const fileTool = deps.toolbox.fileTool(call.name);
    if (fileTool) return runPlanned(call, fileTool, context);
    if (call.name === launchAgent.name) return launch(live, call, context);
    if (call.name === spawnAgent.name) return spawn(live, call, context);
    if (call.name === signalParent.name) return signal(live, call, context);
    throw new Error(`no tool ${call.name}; it should have been answered before`);
  }

  /** The new dialog's file, the claim and the result are one transaction; the new agent starts when it is stored. */
  function launch(live: Live, call: Call, context: RunContext): Promise<Dispatched> {
    return deps.creation.oneByOne(() => {
      let prepared: Prepared | undefined;
      const tool = {
        definition: launchAgent,
        check: (input: Call["input"]) => checkLaunch(input, deps.providers),
        async plan(input: Call["input"]): Promise<Plan> {
          prepared = undefined;
          const checked = await deps.launches.check(live);
          if (!checked.ok) return refuse(checked.refusal);
          const started = await startedAgent(launchInput(input), live.state.dialog, starting);
          if (!started.ok) return refuse(started.refusal);
          prepared = await deps.creation.prepare({ ...started.wanted, launchedBy: live.id });
          const { id, filename, path, state, change } = prepared;
          const { dialog, status } = state;
          const launched = { dialogId: id, filename, status, provider: currentProvider(dialog), model: currentModel(dialog) };
          const queued = checked.waits === null ? {} : { queued: checked.waits };
          return { changes: [change], expect: [{ path, version: null }], result: { success: true, launched, ...queued } };
        },
      };
      return runPlanned(call, tool, context, (version) => {
        if (prepared) perform(deps.registry().adopt(prepared, version), prepared.effects, { launched: true });
      });
    });
  }

  /** The same, with the agent's file. */
  async function spawn(live: Live, call: Call, context: RunContext): Promise<Dispatched> {
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
          const spawned = await planSpawn(live, input, planning, {
            ...starting,
            runs: deps.runs,
            launches: deps.launches,
            creation: deps.creation,
            placeAt: (run, depth) => runSlotAt(run, depth, deps.runs),
          });
          ({ prepared } = spawned);
          return spawned.plan;
        },
      };
      return runPlanned(call, tool, context, (version) => {
        if (prepared) perform(deps.registry().adopt(prepared, version), prepared.effects, { launched: true });
      });
    });
  }

  async function signal(live: Live, call: Call, context: RunContext): Promise<Dispatched> {
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

  /** The file is the truth: what was only shown is taken back, and the user is told. */
  async function takeBack(live: Live, why: string): Promise<void> {
    deps.queue.leave(live);
    if (live.gone) return;
    live.work?.abort.abort();
    live.work = null;
    live.output = null;
    live.activity = null;
    const message = why === "full" ? "The browser's storage is full." : `Couldn't save the dialog (${why}).`;
    notice(live, "storage", `${message} The agent was stopped. Everything saved so far is kept.`);
    sendFrame(live, { type: "error", error: message });
    const { turn } = live.state;
    const reread = await deps.registry().handOver(live);
    if (!turn) return;
    const result = turnResult(reread ?? live, { turn, calls: [], interrupted: true });
    endFrames(live, { type: "done", result: { ...result, status: reread?.state.status ?? "waiting" } });
  }

  function endFrames(live: Live, last: Extract<Frame, { type: "done" }>): void {
    sendFrame(live, last);
    live.frames.clear();
  }

  return {
    act,
    perform,
    stop,
    takeBack,
  };
}
