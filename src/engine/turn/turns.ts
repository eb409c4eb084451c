import type { Activity, Frame } from "../../protocol/index.ts";
import { runOf } from "../../dialog/run.ts";
import type { Costs } from "../cost/gate.ts";
import type { Prepared } from "../dialogs/create.ts";
import { dispatch, type Dispatched, type DispatchDeps } from "../dialogs/dispatch.ts";
import { inOrder, type Live, sendFrame, tell, type Work } from "../dialogs/live.ts";
import type { Registry } from "../dialogs/registry.ts";
import type { Extra } from "../dialogs/store.ts";
import { showActivity } from "../projections/show-activity.ts";
import { oneLine } from "../providers/one-line.ts";
import type { Queue, QueueEntry } from "../scheduler/queue.ts";
import type { DocLimits } from "../scheduler/read-doc-limits.ts";
import type { Runs } from "../scheduler/runs.ts";
import type { Call } from "../../dialog/model.ts";
import type { Asked, AskProvider } from "./ask-provider.ts";
import type { Effect, Event } from "./machine/model.ts";
import { currentModel, currentProvider } from "./machine/next-step.ts";
import { endText } from "./respond.ts";
import { runSlotOf } from "./run-slot.ts";
import type { RunTool } from "./run-tool.ts";
import { turnResult } from "./turn-result.ts";

export interface TurnsDeps {
  readonly machine: DispatchDeps;
  readonly docLimits: Pick<DocLimits, "known" | "read">;
  readonly queue: Pick<Queue, "enter" | "leave">;
  readonly runs: Runs;
  readonly registry: Pick<Registry, "adopt" | "handOver" | "readBefore" | "readPatterns">;
  readonly costs: Pick<Costs, "of">;
  /** Why the provider can't be asked. Null if it can, or if there is no such provider. */
  readonly lacksKey: (provider: string) => string | null;
  readonly askProvider: AskProvider;
  readonly runTool: RunTool;
  /** The turn is over: the dialog does nothing until someone acts. */
  readonly rested: (live: Live) => void;
  readonly now: () => Date;
  readonly report: (error: unknown) => void;
}

/** The automatic part of a turn: asks providers, runs calls, and performs the effects of each event. */
export interface Turns {
  /** Stores the event and performs its effects. The caller runs in the dialog's order (`inOrder`). */
  act(live: Live, event: Event, extra?: Extra, stored?: (version: number) => void): Promise<Dispatched>;
  perform(live: Live, effects: readonly Effect[], how?: Coming): void;
  stop(live: Live, status: "waiting" | "done"): Promise<Dispatched>;
  /** The file couldn't be written, or isn't the version known here. Ends the turn and reads the file again. */
  takeBack(live: Live, why: string): Promise<void>;
}

/** Why a dialog enters the queue, if the user didn't cause it. */
interface Coming {
  /** An agent launched it, so it may have to wait longer. */
  readonly launched?: boolean;
  /** It was queued in an earlier engine, so the key of its provider may be gone. */
  readonly resumed?: boolean;
}

export function createTurns(deps: TurnsDeps): Turns {
  return {
    act: (...given) => act(deps, ...given),
    perform: (...given) => perform(deps, ...given),
    stop: (live, status) => stop(deps, live, status),
    takeBack: (...given) => takeBack(deps, ...given),
  };
}

async function act(deps: TurnsDeps, live: Live, event: Event, extra?: Extra, stored?: (version: number) => void): Promise<Dispatched> {
  // A step that asks the provider must follow the current limits in doc-main.md.
  if (!deps.docLimits.known()) await deps.docLimits.read();
  // A caller that still holds the old `Live` after a reread is too late, as if another writer had changed the file.
  if (live.gone) return { ok: false, failure: { kind: "conflict", path: live.path, expected: live.version, found: null } };
  const done = await dispatch(live, event, deps.machine, extra);
  if (done.ok) {
    // Streamed text doesn't change a run.
    if (event.type !== "text" && runOf(live.state.dialog.head) !== null) deps.runs.note(live.id, live.state);
    stored?.(done.version);
    perform(deps, live, done.effects);
  }
  return done;
}

/** Stores an event. If that fails, ends the turn. */
async function actOrTakeBack(deps: TurnsDeps, live: Live, event: Event): Promise<Dispatched> {
  const done = await act(deps, live, event);
  if (!done.ok && "failure" in done) await takeBack(deps, live, done.failure.kind);
  return done;
}

function perform(deps: TurnsDeps, live: Live, effects: readonly Effect[], { launched = false, resumed = false }: Coming = {}): void {
  const place = runSlotOf(live, deps.runs);
  const enter = (begins: QueueEntry["begin"]) =>
    deps.queue.enter(live, {
      launched,
      ...(place ? { run: place } : {}),
      ...(resumed ? { needs: () => deps.lacksKey(currentProvider(live.state.dialog)) } : {}),
      waits: () => noteQueued(deps, live),
      begin: begins,
    });
  for (const effect of effects) {
    switch (effect.type) {
      case "request":
        enter((waited) => begin(deps, live, (work) => ask(deps, live, work, { ...effect, waited })));
        break;
      case "run":
        enter(() => begin(deps, live, (work) => runCall(deps, live, work, effect.call)));
        break;
      case "abort":
        live.work?.abort.abort();
        rest(deps, live);
        setActivity(deps, live, null);
        break;
      case "tool_request":
        deps.registry
          .readBefore(live)
          .then(() => tell(live, { kind: "state" }))
          .catch(deps.report);
        deps.registry.readPatterns(live).catch(deps.report);
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
        rest(deps, live);
        setActivity(deps, live, null);
        endFrames(live, { type: "done", result: turnResult(live, effect) });
        deps.rested(live);
        break;
    }
  }
}

/** Notes in the file that the dialog waits in the queue, unless the file already says so or the turn has begun since. */
function noteQueued(deps: TurnsDeps, live: Live): void {
  inOrder(live, async () => {
    if (live.gone || live.state.turn === null) return;
    await actOrTakeBack(deps, live, { type: "queued", time: deps.now().toISOString() });
  }).catch(deps.report);
}

/** The dialog does nothing more by itself, so its slot is free. */
function rest(deps: TurnsDeps, live: Live): void {
  live.work = null;
  live.output = null;
  deps.queue.leave(live);
}

function setActivity({ machine }: TurnsDeps, live: Live, activity: Activity | null): void {
  showActivity(live, activity, machine.bus);
}

/** Starts the automatic part of a turn. A bug in it must not leave a dialog that seems to work forever. */
function begin(deps: TurnsDeps, live: Live, run: (work: Work) => Promise<void>): void {
  // The file was read again while its first event was being stored, and another `Live` has replaced this one.
  if (live.gone) return deps.queue.leave(live);
  const work: Work = live.work ?? { abort: new AbortController(), writer: null, usage: null };
  live.work = work;
  run(work)
    .catch(async (error: unknown) => {
      deps.report(error);
      if (live.work !== work) return;
      const message = `Something went wrong in Vibey, so the agent was stopped: ${oneLine(String(error))}. Try again.`;
      sendFrame(live, { type: "error", error: message });
      notice(deps, live, "fault", message);
      // Only while it is the current work: if the user stopped it, newer work may have started, which must not be stopped.
      await inOrder(live, async () => (live.work === work ? stop(deps, live, "waiting", message) : null)).catch(deps.report);
      // Even if the stop failed, nothing works on the dialog now.
      if (live.work !== work) return;
      rest(deps, live);
      setActivity(deps, live, null);
    })
    .catch(deps.report);
}

/** If the stop can't be stored, the turn ends anyway and the file is read again. */
async function stop(deps: TurnsDeps, live: Live, status: "waiting" | "done", fault?: string): Promise<Dispatched> {
  const { work } = live;
  const tail = work ? endText(work, false) : null;
  const usage = work?.usage ?? null;
  const { dialog } = live.state;
  const cost = deps.costs.of(currentProvider(dialog), currentModel(dialog), usage);
  const event = { type: "stop", status, tail, usage, cost, time: deps.now().toISOString() } as const;
  return actOrTakeBack(deps, live, fault === undefined ? event : { ...event, fault });
}

function notice({ machine }: TurnsDeps, live: Live, kind: string, message: string): void {
  machine.bus.emit({ type: "notice", data: { kind, message } }, { dialogId: live.id });
}

function ask(deps: TurnsDeps, live: Live, work: Work, asked: Asked): Promise<void> {
  return deps.askProvider(live, work, asked, {
    dispatch: (make) =>
      inOrder(live, async () => {
        if (live.work !== work) return false;
        const event = make();
        return event === null || (await actOrTakeBack(deps, live, event)).ok;
      }),
    activity: (activity) => setActivity(deps, live, activity),
  });
}

async function runCall(deps: TurnsDeps, live: Live, work: Work, call: Call): Promise<void> {
  setActivity(deps, live, { kind: "running", callId: call.id, tool: call.name, ask: null });
  const done = await deps.runTool(live, work, call, {
    dispatch: (event, extra, stored) => inOrder(live, () => act(deps, live, event, extra, stored)),
    launched: (prepared: Prepared, version) => perform(deps, deps.registry.adopt(prepared, version), prepared.effects, { launched: true }),
    waits: () => noteQueued(deps, live),
    notice: (message) => notice(deps, live, "authority", message),
  });
  if (done !== null && !done.ok && "failure" in done) await takeBack(deps, live, done.failure.kind);
}

/** The file is the truth: discards what was only shown, and tells the user. */
async function takeBack(deps: TurnsDeps, live: Live, why: string): Promise<void> {
  deps.queue.leave(live);
  if (live.gone) return;
  live.work?.abort.abort();
  live.work = null;
  live.output = null;
  live.activity = null;
  const message = why === "full" ? "The browser's storage is full." : `Couldn't save the dialog (${why}).`;
  notice(deps, live, "storage", `${message} The agent was stopped. Everything saved so far is kept.`);
  sendFrame(live, { type: "error", error: message });
  const { turn } = live.state;
  const reread = await deps.registry.handOver(live);
  if (!turn) return;
  const result = turnResult(reread ?? live, { turn, calls: [], interrupted: true });
  endFrames(live, { type: "done", result: { ...result, status: reread?.state.status ?? "waiting" } });
}

function endFrames(live: Live, last: Extract<Frame, { type: "done" }>): void {
  sendFrame(live, last);
  live.frames.clear();
}
