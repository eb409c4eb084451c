import type { Actor } from "../../fs/actor.ts";
import type { Files } from "../../fs/files.ts";
import type { Json, JsonObject } from "../../dialog/model.ts";
import { addText, newDialog } from "../../dialog/edit.ts";
import { stringifyJson } from "../../dialog/json.ts";
import { metaValue } from "../../dialog/meta.ts";
import { authorizedOutside, docAuthorizedOutside, outsideLines, outsideOf, RECORD_FORMAT } from "../../dialog/outside.ts";
import { asFormat } from "../../dialog/sections.ts";
import { slugify } from "../../dialog/name.ts";
import type { Activity, OutsideEvent, OutsideTool } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { PutRefusal } from "../dialogs/outcome.ts";
import { readMain } from "../dialogs/docs.ts";
import type { Live } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";
import { isAsked, lastCalls } from "../turn/machine/queries.ts";
import { showActivity } from "../projections/show-activity.ts";
import type { AskAnswer, Asks } from "./asks.ts";
import { type FoundRecord, findRecords, recordSlug } from "./find-records.ts";
import { isCovered } from "./policy.ts";
import { createRates, createSeenIds, type SeenIds } from "./rates.ts";
import { ask, giveBack, record, type Recorded } from "./record.ts";
import { ruleTexts } from "./rules.ts";

/** Why something that an agent reports is not taken. */
export type HubRefusal =
  | { readonly kind: "too-fast" }
  | { readonly kind: "too-many-records" }
  | { readonly kind: "record-full" }
  | { readonly kind: "storage"; readonly message: string };

export type HubOutcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: HubRefusal };

/** Who an agent is, as far as it says. */
export interface NewAgent {
  readonly agentId: string;
  readonly framework: string;
  readonly name?: string | undefined;
  readonly cwd?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly launchedBy?: string | undefined;
}

export interface Question {
  readonly agentId: string;
  readonly framework: string;
  readonly cwd?: string | undefined;
  readonly tool: OutsideTool;
  readonly input: JsonObject;
  readonly context?: string | undefined;
  /** What the agent would keep for always. */
  readonly suggestions: Json | null;
  /** It can be given other arguments than its own. */
  readonly takesEdits: boolean;
  /** Aborted when the agent waits no longer. */
  readonly signal: AbortSignal;
}

/** Agents outside Vibey: each of them has a record, which is written here alone. `key`: the id of the agent key; it reaches its own records, and no others. */
export interface Hub {
  /** Begins a record. */
  register(key: string, agent: NewAgent): Promise<HubOutcome<string>>;
  /** Writes an event into the agent's record, which it begins if there is none. `named`: the sender gave its id, so a second one is dropped. */
  take(key: string, event: OutsideEvent, named: boolean): Promise<HubOutcome<null>>;
  /** Asks the user; null: no one decided here, so the agent asks where it runs. Resolves whatever happens. */
  ask(key: string, question: Question): Promise<AskAnswer | null>;
  /** The records that belong to a key, newest first. */
  records(key: string): Promise<FoundRecord[]>;
  /** Hears the events of a key's agents, as they are written. */
  listen(key: string, listener: (event: OutsideEvent) => void): () => void;
}

export interface HubDeps {
  readonly dialogs: Dialogs;
  readonly asks: Asks;
  readonly files: Files;
  readonly bus: EventBus;
  readonly now: () => Date;
  readonly report: (error: unknown) => void;
}

export function createHub({ dialogs, asks, files, bus, now, report }: HubDeps): Hub {
  const time = () => now().getTime();
  const eventRates = createRates(limits.outsideRate, 1_000, time);
  const recordRates = createRates(limits.outsideRecords, 3_600_000, time);
  const seen = new Map<string, SeenIds>();
  const listeners = new Map<string, Set<(event: OutsideEvent) => void>>();
  /** Ids of dialogs by key and session. */
  const known = new Map<string, Promise<HubOutcome<string>>>();
  let scanned: Promise<void> | null = null;

  const nameOf = (key: string, session: string): string => `${key}\n${metaValue(session)}`;

  function scan(): Promise<void> {
    scanned ??= scanNow().catch((error: unknown) => {
      scanned = null;
      throw error;
    });
    return scanned;
  }

  async function scanNow(): Promise<void> {
    const records = await findRecords(files);
    // The newest one of a session counts.
    for (const { dialogId, agent } of records.toReversed())
      known.set(nameOf(agent.key, agent.session), Promise.resolve({ ok: true, value: dialogId }));
    // No one waits for what was asked through an engine that is gone.
    for (const { dialogId, agent, dialog } of records)
      if (lastCalls(dialog).some(isAsked)) await release(dialogId, actorOf(agent.session, agent.framework));
  }

  async function release(dialogId: string, by: Actor): Promise<void> {
    await change(dialogId, by, (live) => {
      const ids = lastCalls(live.state.dialog).flatMap((call) => (isAsked(call) && !asks.isOpen(dialogId, call.id) ? [call.id] : []));
      return ids.length === 0 ? null : giveBack(live.state.dialog, new Set(ids), now().toISOString());
    });
  }

  async function create(key: string, agent: NewAgent): Promise<HubOutcome<string>> {
    if (!recordRates.take(key)) return { ok: false, refusal: { kind: "too-many-records" } };
    const main = await readMain(files);
    const { framework, agentId: session, name = null, cwd = null, metadata, launchedBy } = agent;
    const lines = outsideLines({ framework, session, name, cwd, key }, main === null ? [] : docAuthorizedOutside(main));
    const head = [
      { key: "Started", value: now().toISOString() },
      ...(launchedBy === undefined ? [] : [{ key: "Launched by", value: launchedBy }]),
      ...lines,
    ];
    const { dialog: empty } = newDialog(head);
    const dialog = asFormat(metadata === undefined ? empty : addText(empty, stringifyJson(metadata)).dialog, RECORD_FORMAT);
    const made = await dialogs.createRecord(slugify(`${recordSlug}${name ?? framework}`), dialog, actorOf(session, framework));
    if (made.ok) return { ok: true, value: made.value.id };
    return notStored(made.refusal);
  }

  /** The record of the agent; one begins when there is none, or when it was deleted. */
  async function ensure(key: string, agent: NewAgent): Promise<HubOutcome<string>> {
    await scan();
    const name = nameOf(key, agent.agentId);
    const there = await known.get(name);
    if (there?.ok && (await dialogs.get(there.value))) return there;
    // Another event may have begun one meanwhile.
    const other = known.get(name);
    if (other && (await other) !== there) return ensure(key, agent);
    const making = create(key, agent);
    known.set(name, making);
    const made = await making;
    if (!made.ok && known.get(name) === making) known.delete(name);
    return made;
  }

  /** `change`: null: nothing is to be written. */
  function change(
    dialogId: string,
    by: Actor,
    make: (live: Live) => Recorded | null,
    durability: "strict" | "relaxed" = "relaxed",
  ): ReturnType<Dialogs["changeRecord"]> {
    return dialogs.changeRecord(dialogId, by, (live) => {
      const made = make(live);
      if (made === null) return { taken: null, value: null };
      for (const id of made.withdrawn) {
        live.rules.delete(id);
        asks.settle(dialogId, id, null);
      }
      const state = { dialog: made.file.dialog, status: made.status, turn: null };
      const isSame = made.file.ops.length === 0 && made.status === live.state.status;
      return { taken: isSame ? null : { state, ops: made.file.ops, durability }, value: null };
    });
  }

  async function write(dialogId: string, event: OutsideEvent): Promise<HubOutcome<null>> {
    let isFull = false;
    const done = await change(dialogId, actorOf(event.agentId, event.source), (live) => {
      isFull = live.file.length > limits.outsideRecord;
      return isFull ? null : record(live.state, event);
    });
    if (isFull) return { ok: false, refusal: { kind: "record-full" } };
    if (!done.ok) return notStored(done.refusal);
    const live = await dialogs.get(dialogId);
    const activity = activityAfter(event);
    if (live && activity !== undefined) showActivity(live, activity, bus);
    return { ok: true, value: null };
  }

  function isSecond(key: string, { agentId, id }: OutsideEvent): boolean {
    const own = seen.get(key) ?? createSeenIds(limits.outsideIds);
    seen.set(key, own);
    return !own.add(`${agentId}\n${id}`);
  }

  async function takeNew(key: string, event: OutsideEvent): Promise<HubOutcome<null>> {
    const { agentId, source: framework, cwd, type, parentAgentId } = event;
    const isChild = type === "subagent_spawn" && parentAgentId !== undefined && parentAgentId !== agentId;
    const owner = await ensure(key, isChild ? { agentId: parentAgentId, framework } : { agentId, framework, cwd });
    if (!owner.ok) return owner;
    const written = await write(owner.value, event);
    if (!written.ok || !isChild) return written;
    const child = await ensure(key, { agentId, framework, cwd, launchedBy: owner.value });
    return child.ok ? written : child;
  }

  return {
    async register(key, agent) {
      await scan();
      const made = await create(key, agent);
      if (made.ok) known.set(nameOf(key, agent.agentId), Promise.resolve(made));
      return made;
    },
    async take(key, event, named) {
      if (!eventRates.take(`${key}\n${event.agentId}`)) return { ok: false, refusal: { kind: "too-fast" } };
      if (named && isSecond(key, event)) return { ok: true, value: null };
      const taken = await takeNew(key, event);
      if (taken.ok) for (const listener of listeners.get(key) ?? []) tellOne(listener, event);
      return taken;
    },
    async ask(key, question) {
      try {
        return await asked(key, question);
      } catch (error) {
        report(error);
        return null;
      }
    },
    async records(key) {
      await scan();
      return (await findRecords(files)).filter(({ agent }) => agent.key === key);
    },
    listen(key, listener) {
      const own = listeners.get(key) ?? new Set();
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

  async function asked(key: string, question: Question): Promise<AskAnswer | null> {
    const { agentId, framework, cwd, tool, input, context = null, suggestions, takesEdits, signal } = question;
    if (!eventRates.take(`${key}\n${agentId}`)) return null;
    const owner = await ensure(key, { agentId, framework, cwd });
    if (!owner.ok || signal.aborted) return null;
    const dialogId = owner.value;
    const by = actorOf(agentId, framework);
    let call = "";
    const waiting: Promise<AskAnswer | null>[] = [];
    const written = await change(
      dialogId,
      by,
      (live) => {
        const { dialog } = live.state;
        if (live.file.length > limits.outsideRecord) return null;
        const isAllowed = isCovered(tool.name, input, { cwd: outsideOf(dialog)?.cwd ?? null, here: cwd }, authorizedOutside(dialog));
        const made = ask(dialog, { tool, input, context, allowed: isAllowed ? tool.name : null }, now().toISOString());
        call = made.id;
        if (isAllowed) waiting.push(Promise.resolve({ approved: true }));
        else {
          waiting.push(asks.wait(dialogId, made.id, { suggestions, takesEdits }));
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
    if (answer === null) await release(dialogId, by);
    return answer;
  }
}

const notStored = (refusal: PutRefusal): HubOutcome<never> => ({
  ok: false,
  refusal: { kind: "storage", message: refusal.kind === "storage" ? refusal.message : `the record could not be written (${refusal.kind})` },
});

const actorOf = (agentId: string, framework: string): Actor => ({
  kind: "outside",
  agentId: metaValue(agentId),
  framework: metaValue(framework),
});

/** What the agent does once it has reported this; undefined: what it did before. */
function activityAfter({ type, tool }: OutsideEvent): Activity | null | undefined {
  if (type === "agent_thinking") return { kind: "thinking" };
  if (type === "tool_start" && tool) return { kind: "running", callId: tool.id, tool: tool.name, ask: null };
  return type === "notification" || type === "subagent_spawn" ? undefined : null;
}
