import { human } from "../../fs/actor.ts";
import type { AskAnswer, Asks } from "./asks.ts";
import { stringifyJson } from "../../dialog/json.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { findCall } from "../../dialog/sections.ts";
import { type Dispatched, storeChange } from "../dialogs/dispatch.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { EventBus } from "../events.ts";
import { tell, type Live } from "../dialogs/live.ts";
import { isAsked } from "../turn/machine/queries.ts";
import { decide } from "./record.ts";

/** What the user sends about a dialog, as far as it matters here. */
export interface SaidInRecord {
  readonly decisions: ReadonlyMap<string, "approve" | "deny">;
  readonly changes?: ReadonlyMap<string, JsonObject>;
  readonly prompt: string | null;
  readonly always?: ReadonlySet<string>;
  readonly again: boolean;
  readonly provider: string | null;
  readonly model: string | null;
  readonly authority: readonly unknown[];
}

export type RecordRefusal =
  /** It is more than a decision. */
  | { readonly kind: "format"; readonly format: number | null }
  /** The agent takes no other arguments than its own. */
  | { readonly kind: "unfit"; readonly id: string; readonly why: string }
  /** No one waits for it. */
  | { readonly kind: "settled"; readonly id: string };

/**
 * What the user says in a record: yes or no to what the agent asks, and nothing else. It is stored before the agent hears it.
 * The caller holds the dialog's order.
 */
export async function putInRecord(
  live: Live,
  wanted: SaidInRecord,
  deps: { readonly store: DialogStore; readonly bus: EventBus; readonly asks: Asks; readonly now: () => Date },
): Promise<Dispatched | { readonly ok: false; readonly refusal: RecordRefusal }> {
  const { dialog } = live.state;
  const { decisions, prompt } = wanted;
  const denies = [...decisions.values()].includes("deny");
  const isMore = wanted.again || wanted.provider !== null || wanted.model !== null || wanted.authority.length > 0;
  if (decisions.size === 0 || isMore || (prompt !== null && !denies))
    return { ok: false, refusal: { kind: "format", format: dialog.format } };
  const changes = new Map<string, JsonObject>();
  for (const [id, word] of decisions) {
    const call = findCall(dialog, id)?.call;
    const asked = deps.asks.wanted(live.id, id);
    if (!call || !isAsked(call) || asked === null) return { ok: false, refusal: { kind: "settled", id } };
    const changed = word === "approve" ? wanted.changes?.get(id) : undefined;
    if (changed === undefined || stringifyJson(changed) === stringifyJson(call.input)) continue;
    if (!asked.takesEdits) return { ok: false, refusal: { kind: "unfit", id, why: "the agent takes no other arguments" } };
    changes.set(id, changed);
  }
  const { file, status } = decide(dialog, decisions, changes, deps.now().toISOString());
  const state = { dialog: file.dialog, status, turn: null };
  const done = await storeChange(live, { state, ops: file.ops, durability: "strict" }, human, deps);
  if (!done.ok) return done;
  for (const [id, word] of decisions) {
    const always = word === "approve" && wanted.always?.has(id) === true ? (deps.asks.wanted(live.id, id)?.suggestions ?? null) : null;
    const edited = changes.get(id);
    const answer: AskAnswer = {
      approved: word === "approve",
      ...(word === "deny" && prompt !== null ? { message: prompt } : {}),
      ...(edited === undefined ? {} : { edited }),
      ...(always === null ? {} : { always }),
    };
    live.rules.delete(id);
    deps.asks.settle(live.id, id, answer);
  }
  tell(live, { kind: "state" });
  return done;
}
