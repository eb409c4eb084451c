import { bytesToHex } from "@noble/hashes/utils.js";
import { limits } from "../../protocol/limits.ts";
import { human } from "../../fs/actor.ts";
import type { ApprovalAnswer, PendingApprovals } from "./pending-approvals.ts";
import { isJsonObject, stringifyJson } from "../../dialog/json.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { earlierMessage } from "../../dialog/message-key.ts";
import { outsideOf } from "../../dialog/outside.ts";
import { findCall } from "../../dialog/sections.ts";
import { type Dispatched, storeChange } from "../dialogs/dispatch.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { EventBus } from "../events.ts";
import { tell, type Live } from "../dialogs/live.ts";
import { isAsked, lastCalls } from "../turn/machine/queries.ts";
import { mailOf } from "./mail.ts";
import { askToStop, say } from "./write-mail.ts";
import type { Draft } from "../turn/machine/draft.ts";
import { decide, withdrawRequests } from "./record.ts";

/** The part of the user's request about a dialog that matters here. */
export interface DecisionInput {
  readonly decisions: ReadonlyMap<string, "approve" | "deny">;
  readonly changes?: ReadonlyMap<string, JsonObject>;
  readonly prompt: string | null;
  readonly always?: ReadonlySet<string>;
  readonly key?: string;
  readonly again: boolean;
  readonly provider: string | null;
  readonly model: string | null;
  readonly authority: readonly unknown[];
}

export type RecordRefusal =
  /** The request contains more than decisions, or a message that can't reach the agent. */
  | { readonly kind: "format"; readonly format: number | null }
  /** The agent first waits for decisions about these calls. */
  | { readonly kind: "undecided"; readonly ids: readonly string[] }
  /** The agent doesn't accept changed arguments. */
  | { readonly kind: "unfit"; readonly id: string; readonly why: string }
  /** The call asks the user questions, and approving it requires answers. */
  | { readonly kind: "unanswered"; readonly id: string }
  /** An earlier message with another text had the same key. */
  | { readonly kind: "other-message" }
  /** No one waits for this call. */
  | { readonly kind: "settled"; readonly id: string };

export interface RecordDecisionDeps {
  readonly store: DialogStore;
  readonly bus: EventBus;
  readonly asks: PendingApprovals;
  readonly now: () => Date;
}

type Put = Dispatched | { readonly ok: false; readonly refusal: RecordRefusal };

/**
 * Applies what the user sends to a record: decisions about the agent's requests, or a message to an agent that takes messages. It is stored
 * before the agent gets it. The caller must run this in the dialog's queue.
 */
export async function applyDecisions(live: Live, wanted: DecisionInput, deps: RecordDecisionDeps): Promise<Put> {
  const { dialog } = live.state;
  const { decisions, prompt } = wanted;
  const denies = [...decisions.values()].includes("deny");
  const isMore = wanted.again || wanted.provider !== null || wanted.model !== null || wanted.authority.length > 0;
  if (decisions.size === 0 && prompt !== null && !isMore) return sayToAgent(live, prompt, wanted.key, deps);
  if (decisions.size === 0 || isMore || (prompt !== null && !denies))
    return { ok: false, refusal: { kind: "format", format: dialog.format } };
  const changes = new Map<string, JsonObject>();
  for (const [id, word] of decisions) {
    const call = findCall(dialog, id)?.call;
    const asked = deps.asks.wanted(live.id, id);
    if (!call || !isAsked(call) || asked === null) return { ok: false, refusal: { kind: "settled", id } };
    if (word === "approve" && asked.wantsAnswers && !isAnswered(wanted.changes?.get(id) ?? call.input))
      return { ok: false, refusal: { kind: "unanswered", id } };
    const changed = word === "approve" ? wanted.changes?.get(id) : undefined;
    if (changed === undefined || stringifyJson(changed) === stringifyJson(call.input)) continue;
    if (!asked.takesEdits) return { ok: false, refusal: { kind: "unfit", id, why: "the agent takes no other arguments" } };
    changes.set(id, changed);
  }
  const { file, status } = decide(dialog, decisions, changes, prompt, deps.now().toISOString());
  const state = { dialog: file.dialog, status, turn: null };
  const done = await storeChange(live, { state, ops: file.ops, durability: "strict" }, human, deps);
  if (!done.ok) return done;
  for (const [id, word] of decisions) {
    const edited = changes.get(id);
    // The agent's suggested rules are only valid for its own arguments.
    const isAlways = word === "approve" && edited === undefined && wanted.always?.has(id) === true;
    const always = isAlways ? (deps.asks.wanted(live.id, id)?.suggestions ?? null) : null;
    const answer: ApprovalAnswer = {
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

/** Whether every question has an answer. */
function isAnswered({ answers }: JsonObject): boolean {
  const all = isJsonObject(answers) ? Object.values(answers) : [];
  return all.length > 0 && all.every((answer) => typeof answer === "string" && answer.trim() !== "");
}

async function sayToAgent(live: Live, text: string, key: string | undefined, deps: RecordDecisionDeps): Promise<Put> {
  const { dialog, status } = live.state;
  // The same message was sent again.
  const earlier = key === undefined ? null : earlierMessage(dialog, key, deps.now().getTime() - limits.messageKeyMs);
  if (earlier === "same") return { ok: true, effects: [], version: live.version };
  if (earlier === "other") return { ok: false, refusal: { kind: "other-message" } };
  if (!mailOf(live, dialog).reachable || status === "done") return { ok: false, refusal: { kind: "format", format: dialog.format } };
  const asked = lastCalls(dialog).filter(isAsked);
  if (asked.length > 0) return { ok: false, refusal: { kind: "undecided", ids: asked.map(({ id }) => id) } };
  const id = bytesToHex(crypto.getRandomValues(new Uint8Array(4)));
  return storeMail(live, say(dialog, { id, text, time: deps.now().toISOString(), key }), deps);
}

/**
 * Withdraws requests from an engine that has ended. No one waits for them: the agent has asked where it runs. If this can't be stored, it is
 * tried again when the record is next opened.
 */
export async function releaseRequests(live: Live, { store, bus, asks, now }: RecordDecisionDeps): Promise<void> {
  const { dialog } = live.state;
  const agent = outsideOf(dialog);
  const ids = lastCalls(dialog).flatMap((call) => (isAsked(call) && !asks.isOpen(live.id, call.id) ? [call.id] : []));
  if (agent === null || ids.length === 0) return;
  const { file, status } = withdrawRequests(dialog, new Set(ids), now().toISOString());
  const by = { kind: "outside", agentId: agent.session, framework: agent.framework } as const;
  await storeChange(live, { state: { dialog: file.dialog, status, turn: null }, ops: file.ops, durability: "strict" }, by, { store, bus });
}

/** Asks the agent to stop. It is told with its next step. */
export async function stopInRecord(live: Live, deps: RecordDecisionDeps): Promise<Put> {
  const { dialog, status } = live.state;
  const mail = mailOf(live, dialog);
  if (!mail.reachable || status !== "active") return { ok: false, refusal: { kind: "format", format: dialog.format } };
  if (mail.stop) return { ok: true, effects: [], version: live.version };
  return storeMail(live, askToStop(dialog, deps.now().toISOString()), deps);
}

/** Stores a message or stop request, which the agent gets with its next step. */
async function storeMail(live: Live, { dialog, ops }: Draft, deps: RecordDecisionDeps): Promise<Put> {
  const state = { dialog, status: live.state.status, turn: null };
  const done = await storeChange(live, { state, ops, durability: "strict" }, human, deps);
  if (done.ok) deps.asks.channel.wake(live.id);
  return done;
}
