import type { Dialog, Json, JsonObject } from "../../dialog/model.ts";
import { isJsonObject } from "../../dialog/json.ts";
import { metaValue } from "../../dialog/meta.ts";
import { authorizedOutside, outsideOf } from "../../dialog/outside.ts";
import type { Activity, OutsideEvent, OutsideTool } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { EventBus } from "../events.ts";
import { showActivity } from "../projections/show-activity.ts";
import type { ApprovalAnswer } from "./pending-approvals.ts";
import type { FoundRecord } from "./find-records.ts";
import { lastUse } from "./foreign-names.ts";
import { mailOf } from "./mail.ts";
import { createMailDelivery, type MailDelivery } from "./mail-delivery.ts";
import { isCovered } from "./policy.ts";
import { createRates, createSeenIds, type SeenIds } from "./rates.ts";
import { ask, record } from "./record.ts";
import { actorOf, createRecords, type RecordOutcome, type NewAgent, type RecordsDeps } from "./records.ts";
import { ruleTexts } from "./rules.ts";

export interface Question {
  readonly agentId: string;
  readonly framework: string;
  readonly cwd?: string | undefined;
  readonly tool: OutsideTool;
  /** `permission`: `tool.name` is a permission, which the agent needs for the call of another tool. */
  readonly asks: "tool" | "permission";
  readonly input: JsonObject;
  readonly context?: string | undefined;
  /** The permanent rules that the agent suggests. */
  readonly suggestions: Json | null;
  /** The user may change the arguments. */
  readonly takesEdits: boolean;
  /** The call asks the user questions, and approving it requires answers. */
  readonly wantsAnswers: boolean;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
}

/** Agents outside Vibey. Each has a record, which only this module writes. `key`: the id of the agent key, which only reaches its own records. */
export interface ExternalAgents {
  /** Creates a record. */
  register(key: string, agent: NewAgent): Promise<RecordOutcome<string>>;
  /** The id of the agent's record. Null: there is none. */
  find(key: string, agentId: string): Promise<string | null>;
  /** Writes an event into the agent's record, and creates the record if necessary. `named`: the sender gave the id, so a duplicate is dropped. */
  ingest(key: string, event: OutsideEvent, named: boolean): Promise<RecordOutcome<null>>;
  /** Asks the user. Null: no one decided here, so the agent asks where it runs. Never rejects. */
  ask(key: string, question: Question): Promise<ApprovalAnswer | null>;
  /** The user's messages and stop requests for agents. */
  readonly mail: MailDelivery;
  /** The records of a key, newest first. Null: the key has read them too often. */
  records(key: string): Promise<FoundRecord[] | null>;
  /** Calls the listener with the events of a key's agents as they are written. Null: there are already too many listeners. */
  listen(key: string, listener: (event: OutsideEvent) => void): (() => void) | null;
}

export interface ExternalAgentsDeps extends RecordsDeps {
  readonly bus: EventBus;
  readonly report: (error: unknown) => void;
}

export function createExternalAgents(deps: ExternalAgentsDeps): ExternalAgents {
  const { dialogs, asks, bus, now, report } = deps;
  const time = () => now().getTime();
  const eventRates = createRates(limits.outsideRate, 1_000, time);
  const keyRates = createRates(limits.outsideKeyRate, 1_000, time);
  const readRates = createRates(limits.outsideReads, 10_000, time);
  /** Ids of accepted events, by key and agent, so that a busy agent doesn't displace the ids of another. */
  const seen = new Map<string, SeenIds>();
  /** Events that are being written, by key, agent and id. A duplicate gets the result of the first one. */
  const writing = new Map<string, Promise<RecordOutcome<null>>>();
  const listeners = new Map<string, Set<(event: OutsideEvent) => void>>();
  const records = createRecords(deps, (key, agentId, id) => void seenBy(key, agentId).add(metaValue(id)));
  const mail = createMailDelivery({ records, dialogs, channel: asks.channel, now, report });

  const nameOf = (key: string, agentId: string): string => `${key}\n${metaValue(agentId)}`;
  function seenBy(key: string, agentId: string): SeenIds {
    const name = nameOf(key, agentId);
    const own = seen.get(name) ?? createSeenIds(limits.outsideIds);
    seen.set(name, own);
    return own;
  }
  const isTooFast = (key: string, agentId: string): boolean => !keyRates.take(key) || !eventRates.take(`${key}\n${agentId}`);

  async function write(
    dialogId: string,
    event: OutsideEvent,
    { named, isOthers }: { named: boolean; isOthers: boolean },
  ): Promise<RecordOutcome<Dialog | null>> {
    let isFull = false;
    const done = await records.change(dialogId, actorOf(event.agentId, event.source), (live) => {
      isFull = live.file.length > limits.outsideRecord;
      return isFull ? null : record(live.state, event, { named, isOthers, stops: mailOf(live, live.state.dialog).stop });
    });
    if (isFull) return { ok: false, refusal: { kind: "record-full" } };
    if (!done.ok) return done;
    const live = await dialogs.get(dialogId);
    const activity = live && activityAfter(event, live.state.dialog);
    if (live && activity !== undefined) showActivity(live, activity, bus);
    return { ok: true, value: live?.state.dialog ?? null };
  }

  async function ingestOnce(key: string, event: OutsideEvent): Promise<RecordOutcome<null>> {
    const agent = nameOf(key, event.agentId);
    const id = metaValue(event.id);
    const name = `${agent}\n${id}`;
    // Looking for a record loads the ids of events that were accepted before this engine started.
    await records.find(key, event.agentId);
    if (seen.get(agent)?.has(id) === true) return { ok: true, value: null };
    const first = writing.get(name);
    if (first) return first;
    const taking = ingestNew(key, event, true);
    writing.set(name, taking);
    try {
      const taken = await taking;
      if (taken.ok) seenBy(key, event.agentId).add(id);
      return taken;
    } finally {
      writing.delete(name);
    }
  }

  async function ingestNew(key: string, event: OutsideEvent, named: boolean): Promise<RecordOutcome<null>> {
    const { agentId, source: framework, cwd, type, parentAgentId } = event;
    const isChild = type === "subagent_spawn" && parentAgentId !== undefined && parentAgentId !== agentId;
    const owner = await records.ensure(key, isChild ? { agentId: parentAgentId, framework } : { agentId, framework, cwd });
    if (!owner.ok) return owner;
    // Created before the line about it is written: if this fails, the event is sent again, and the line would be written twice.
    const child = isChild ? await records.ensure(key, { agentId, framework, cwd, launchedBy: owner.value }) : null;
    if (child?.ok === false) return child;
    const written = await write(owner.value, event, { named, isOthers: isChild });
    if (!written.ok) return written;
    const told = withEnd(event, written.value);
    for (const listener of listeners.get(key) ?? []) tellOne(listener, told);
    return { ok: true, value: null };
  }

  return {
    register: (key, agent) => records.create(key, agent),
    find: (key, agentId) => records.find(key, agentId),
    async ingest(key, event, named) {
      if (isTooFast(key, event.agentId)) return { ok: false, refusal: { kind: "too-fast" } };
      return named ? ingestOnce(key, event) : ingestNew(key, event, false);
    },
    async ask(key, question) {
      try {
        return await asked(key, question);
      } catch (error) {
        report(error);
        return null;
      }
    },
    mail,
    async records(key) {
      if (!readRates.take(key)) return null;
      return (await records.all()).filter(({ agent }) => agent.key === key);
    },
    listen(key, listener) {
      const own = listeners.get(key) ?? new Set();
      if (own.size >= limits.outsideStreams) return null;
      listeners.set(key, own.add(listener));
      return () => own.delete(listener);
    },
  };

  function tellOne(listener: (event: OutsideEvent) => void, event: OutsideEvent): void {
    try {
      listener(event);
    } catch (error) {
      report(error);
    }
  }

  async function asked(key: string, question: Question): Promise<ApprovalAnswer | null> {
    const { agentId, framework, cwd, tool, asks: subject, input, context = null, suggestions, takesEdits, wantsAnswers, signal } = question;
    if (isTooFast(key, agentId)) return null;
    const owner = await records.ensure(key, { agentId, framework, cwd });
    if (!owner.ok || signal.aborted) return null;
    const dialogId = owner.value;
    const by = actorOf(agentId, framework);
    let call = "";
    const waiting: Promise<ApprovalAnswer | null>[] = [];
    const written = await records.change(
      dialogId,
      by,
      (live) => {
        const { dialog } = live.state;
        if (live.file.length > limits.outsideRecord) return null;
        const isAllowed = isCovered(tool.name, input, { cwd: outsideOf(dialog)?.cwd ?? null, agentCwd: cwd }, authorizedOutside(dialog));
        const made = ask(dialog, { tool, asks: subject, input, context, allowed: isAllowed ? tool.name : null }, now().toISOString());
        call = made.id;
        if (isAllowed) waiting.push(Promise.resolve({ approved: true }));
        else {
          waiting.push(asks.wait(dialogId, made.id, { suggestions, takesEdits, wantsAnswers }));
          if (suggestions !== null) live.rules.set(made.id, ruleTexts(suggestions));
        }
        return made;
      },
      "strict",
    );
    const [answering] = waiting;
    if (!written.ok || !answering) {
      asks.settle(dialogId, call, null);
      return null;
    }
    const shown = await dialogs.get(dialogId);
    if (shown) showActivity(shown, null, bus);
    const leave = () => asks.settle(dialogId, call, null);
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    const answer = await answering;
    signal.removeEventListener("abort", leave);
    if (answer === null) await records.release(dialogId, by);
    return answer;
  }
}

/** The agent's activity after this event; undefined if the event doesn't change it. */
function activityAfter({ type, tool }: OutsideEvent, dialog: Dialog): Activity | null | undefined {
  if (type === "agent_thinking") return { kind: "thinking" };
  if (type === "tool_start" && tool)
    return { kind: "running", callId: lastUse(dialog, tool.id)?.id ?? tool.id, tool: tool.name, ask: null };
  return type === "notification" || type === "subagent_spawn" ? undefined : null;
}

/** The event, with what its sender left out and the record knows: whether the call succeeded, and how long it took. */
function withEnd(event: OutsideEvent, dialog: Dialog | null): OutsideEvent {
  const result = event.type === "tool_end" && event.tool && dialog ? lastUse(dialog, event.tool.id)?.result : undefined;
  if (!isJsonObject(result)) return event;
  const { success, ms } = result;
  return { ...event, success: success === true, ...(typeof ms === "number" ? { duration: ms } : {}) };
}
