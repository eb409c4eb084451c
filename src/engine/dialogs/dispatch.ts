import { type Actor, agent } from "../../fs/actor.ts";
import type { CommitFailure, CommitResult } from "../../fs/files.ts";
import { nameOf, vibeyPath } from "../../fs/vibey-name.ts";
import { type DialogPiece, pieces } from "../../dialog/edit.ts";
import { dialogFilename } from "../../dialog/name.ts";
import { lastSection } from "../../dialog/sections.ts";
import type { Effect, Event, MachineOptions, Refusal, Step } from "../turn/machine/model.ts";
import { step } from "../turn/machine/step.ts";
import type { EventBus } from "../events.ts";
import { sideForkOf } from "./fork-point.ts";
import { type Live, type LiveChange, tell } from "./live.ts";
import { type News, newEventsBetween } from "../log/new-events.ts";
import type { DialogStore, Extra } from "./store.ts";
import { factsOf } from "../projections/facts.ts";
import { waitingFor } from "../projections/waiting-for.ts";

export type Dispatched =
  /** `version` is the version of the commit, or of the current file if nothing was committed. */
  | { readonly ok: true; readonly effects: readonly Effect[]; readonly version: number }
  | { readonly ok: false; readonly refusal: Refusal }
  /** Nothing was stored and nothing changed. */
  | { readonly ok: false; readonly failure: CommitFailure };

export interface DispatchDeps {
  readonly store: DialogStore;
  readonly bus: EventBus;
  readonly options: MachineOptions;
}

/**
 * Processes one event of one dialog: computes it, stores it, then reports it. Acknowledged changes are on disk before the state shows them.
 * Streamed text is shown at once and stored a moment later. Callers run in the dialog's order (`inOrder`) and perform the effects.
 */
export async function dispatch(live: Live, event: Event, deps: DispatchDeps, extra?: Extra): Promise<Dispatched> {
  const taken = step(live.state, event, deps.options);
  if (!taken.ok) return { ok: false, refusal: taken.refusal };
  // Streamed text is not an event until it is complete, which a later step reports.
  const news = event.type === "text" ? [] : newsOfStep(live, taken, deps);
  const change: Told = event.type === "text" ? { kind: "text", piece: event.piece } : { kind: "state" };
  return keep(live, taken, { change, news, by: agent(live.id), ...(extra ? { extra } : {}) }, deps);
}

/** Stores and reports a change that no event of a turn made. Callers run in the dialog's order (`inOrder`). */
export function storeChange(
  live: Live,
  taken: Omit<Taken, "ok" | "effects">,
  by: Actor,
  deps: Pick<DispatchDeps, "store" | "bus">,
): Promise<Dispatched> {
  const whole: Taken = { ...taken, ok: true, effects: [] };
  return keep(live, whole, { change: { kind: "state" }, news: newsOfStep(live, whole, deps), by }, deps);
}

type Told = Extract<LiveChange, { readonly kind: "text" | "state" }>;

interface Keeping {
  readonly change: Told;
  readonly news: readonly News[];
  readonly by: Actor;
  readonly extra?: Extra;
}

async function keep(live: Live, taken: Taken, how: Keeping, deps: Pick<DispatchDeps, "store" | "bus">): Promise<Dispatched> {
  const isRenamed = dialogFilename(live.id, taken.state.status) !== nameOf(live.path);
  if (taken.durability === "relaxed" && !live.stale && !how.extra && !isRenamed) {
    deps.store.buffer(live, taken.ops, how.news);
    apply(live, taken, how.change, deps.bus, null);
    return { ok: true, effects: taken.effects, version: live.version };
  }
  // The format is in the header, so the file has to be rewritten.
  if (taken.state.dialog.format !== live.state.dialog.format) live.stale = true;
  const { result, rewritten } = await storeStep(live, taken, deps.store, how);
  if (!result.ok) return { ok: false, failure: result.failure };
  live.stale = false;
  apply(live, taken, how.change, deps.bus, rewritten);
  return { ok: true, effects: taken.effects, version: result.version };
}

/** The new events of a step. An internal error only loses the order of events, never the step. */
function newsOfStep(live: Live, taken: Taken, { store }: Pick<DispatchDeps, "store">): readonly News[] {
  try {
    const news = newEventsBetween(live.state.dialog, taken.state.dialog, live.id);
    return news ? [news] : [];
  } catch (error) {
    store.lacksNews(error);
    return [];
  }
}

type Taken = Extract<Step, { ok: true }>;

async function storeStep(
  live: Live,
  taken: Taken,
  store: DialogStore,
  { news, by, extra }: Keeping,
): Promise<{ result: CommitResult /** The whole file, if it was rewritten. */; rewritten: readonly DialogPiece[] | null }> {
  const filename = dialogFilename(live.id, taken.state.status);
  const options = {
    durability: taken.durability,
    by,
    fold: taken.state.turn === null,
    news,
    ...(filename === nameOf(live.path) ? {} : { rename: vibeyPath(filename) }),
    ...(extra ? { extra } : {}),
  };
  if (!live.stale) {
    const result = await store.commit(live, taken.ops, options);
    // The open pieces may be closed in the store, because an import or a manual edit wrote the whole file. Then rewrite it.
    if (result.ok || result.failure.kind !== "piece") return { result, rewritten: null };
  }
  const data = pieces(taken.state.dialog);
  const last = data.at(-1);
  if (last && textIsOpen(live, taken)) data[data.length - 1] = { ...last, data: last.data.slice(0, -1) };
  return { result: await store.rewrite(live, { op: "write", path: live.path, data }, options), rewritten: data };
}

/** While a text is being streamed, the file has no final LF yet. The next piece continues there. */
function textIsOpen(live: Live, { state }: Taken): boolean {
  return state.turn?.phase === "responding" && live.work?.writer != null && lastSection(state.dialog)?.parts.at(-1)?.kind === "text";
}

function apply(live: Live, taken: Taken, change: Told, bus: EventBus, rewritten: readonly DialogPiece[] | null): void {
  const before = live.state;
  live.state = taken.state;
  const from = rewritten === null ? live.file.apply(taken.ops) : live.file.rewrite(rewritten);
  tell(live, from === null ? change : { ...change, from });
  // A side fork's messages are shown in the original dialog too.
  const isSide = change.kind === "state" && sideForkOf(live.state.dialog.head) !== null;
  if (isSide || before.status !== live.state.status || waitingFor(before) !== waitingFor(live.state)) announce(live, bus);
}

export function announce(live: Live, bus: EventBus): void {
  const filename = nameOf(live.path) ?? live.path;
  const { status } = live.state;
  bus.emit({ type: "dialog", data: { filename, status, activity: live.activity, ...factsOf(live.state) } }, { dialogId: live.id });
}
