import type { CommitFailure, CommitResult } from "../../fs/files.ts";
import { nameOf, vibeyPath } from "../../fs/vibey-name.ts";
import { pieces } from "../format/edit.ts";
import { dialogFilename } from "../format/name.ts";
import { serialiseDialog } from "../format/serialise.ts";
import type { Effect, Event, MachineOptions, Refusal, Step } from "../machine/model.ts";
import { step } from "../machine/step.ts";
import type { EventBus } from "../events.ts";
import { type Live, tell } from "./live.ts";
import type { DialogStore, Extra } from "./store.ts";

export type Dispatched =
  | { readonly ok: true; readonly effects: readonly Effect[] }
  | { readonly ok: false; readonly refusal: Refusal }
  /** Nothing was stored and nothing changed. */
  | { readonly ok: false; readonly failure: CommitFailure };

export interface DispatchDeps {
  readonly store: DialogStore;
  readonly bus: EventBus;
  readonly options: MachineOptions;
}

/**
 * One event of one dialog: computed, stored, then told. What is acknowledged is on disk before the state says so; streamed
 * text is shown at once and stored within a moment. Callers hold the dialog's order (`inOrder`) and perform the effects.
 */
export async function dispatch(live: Live, event: Event, deps: DispatchDeps, extra?: Extra): Promise<Dispatched> {
  const taken = step(live.state, event, deps.options);
  if (!taken.ok) return { ok: false, refusal: taken.refusal };
  if (taken.durability === "relaxed" && !live.stale && !extra) {
    deps.store.buffer(live, taken.ops);
    apply(live, taken, event, deps.bus);
    return { ok: true, effects: taken.effects };
  }
  const result = await storeStep(live, taken, deps.store, extra);
  if (!result.ok) return { ok: false, failure: result.failure };
  live.stale = false;
  apply(live, taken, event, deps.bus);
  return { ok: true, effects: taken.effects };
}

type Taken = Extract<Step, { ok: true }>;

async function storeStep(live: Live, taken: Taken, store: DialogStore, extra: Extra | undefined): Promise<CommitResult> {
  const filename = dialogFilename(live.id, taken.state.status);
  const options = {
    durability: taken.durability,
    by: `dialog ${live.id}`,
    fold: taken.state.turn === null,
    ...(filename === nameOf(live.path) ? {} : { rename: vibeyPath(filename) }),
    ...(extra ? { extra } : {}),
  };
  if (!live.stale) {
    const result = await store.commit(live, taken.ops, options);
    // The pieces that were open may be closed in the store: an import or a hand wrote the file whole. Then it is rewritten.
    if (result.ok || result.failure.kind !== "piece") return result;
  }
  live.buffered = [];
  const rewrite = { op: "write", path: live.path, data: pieces(taken.state.dialog) } as const;
  return store.rewrite(live, rewrite, options);
}

function apply(live: Live, taken: Taken, event: Event, bus: EventBus): void {
  const before = live.state;
  live.state = taken.state;
  const appended = taken.ops.every((op) => op.op === "append");
  if (appended) live.text += taken.ops.map((op) => op.text).join("");
  else live.text = serialiseDialog(live.state.dialog);
  tell(live, event.type === "text" ? { kind: "text", piece: event.piece } : { kind: "state" });
  if (before.status !== live.state.status) announce(live, bus);
}

export function announce(live: Live, bus: EventBus): void {
  bus.emit({
    type: "dialog",
    dialogId: live.id,
    filename: nameOf(live.path) ?? live.path,
    status: live.state.status,
    activity: live.activity,
  });
}
