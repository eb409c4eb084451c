import type { Actor } from "../../fs/actor.ts";
import type { Files } from "../../fs/files.ts";
import type { JsonObject } from "../../dialog/model.ts";
import { addText, newDialog } from "../../dialog/edit.ts";
import { stringifyJson } from "../../dialog/json.ts";
import { metaValue } from "../../dialog/meta.ts";
import { docAuthorizedOutside, eventsIn, outsideLines, RECORD_FORMAT } from "../../dialog/outside.ts";
import { asFormat } from "../../dialog/sections.ts";
import { slugify } from "../../dialog/name.ts";
import { limits } from "../../protocol/limits.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";
import type { DialogStore } from "../dialogs/store.ts";
import type { PutRefusal } from "../dialogs/outcome.ts";
import { readMain } from "../dialogs/docs.ts";
import type { Live } from "../dialogs/live.ts";
import { isAsked, lastCalls } from "../turn/machine/queries.ts";
import type { PendingApprovals } from "./pending-approvals.ts";
import { type FoundRecord, findRecords, recordSlug } from "./find-records.ts";
import { createRates } from "./rates.ts";
import { withdrawRequests, type Recorded } from "./record.ts";

/** Why an agent's report is not accepted. */
export type RecordRefusal =
  | { readonly kind: "too-fast" }
  | { readonly kind: "too-many-records" }
  | { readonly kind: "record-full" }
  | { readonly kind: "storage"; readonly message: string };

export type RecordOutcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: RecordRefusal };

/** An agent, as it describes itself. */
export interface NewAgent {
  readonly agentId: string;
  readonly framework: string;
  readonly name?: string | undefined;
  readonly cwd?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly launchedBy?: string | undefined;
}

export interface RecordsDeps {
  readonly dialogs: Dialogs;
  readonly asks: PendingApprovals;
  readonly files: Files;
  readonly store: Pick<DialogStore, "flush">;
  readonly now: () => Date;
}

export type Durability = "strict" | "relaxed";

/** The records of agents outside Vibey. Only this module creates and extends them. */
export interface Records {
  create(key: string, agent: NewAgent): Promise<RecordOutcome<string>>;
  /** The id of the agent's record. Creates a record if there is none, or if it was deleted. */
  ensure(key: string, agent: NewAgent): Promise<RecordOutcome<string>>;
  /** The id of the agent's record. Null: there is none. */
  find(key: string, agentId: string): Promise<string | null>;
  /** Changes the record to the result of `make`, which is on disk when this resolves. If `make` returns null, nothing is written. */
  change(dialogId: string, by: Actor, make: (live: Live) => Recorded | null, durability?: Durability): Promise<RecordOutcome<null>>;
  /** Withdraws requests that no one waits for any longer. */
  release(dialogId: string, by: Actor): Promise<void>;
  /** All records as they are on disk, newest first. Concurrent callers share one read. */
  all(): Promise<FoundRecord[]>;
}

/** Calls `seen` once, before anything is written, for each recent event in the existing records, with its key, agent and id. */
export function createRecords(
  { dialogs, asks, files, store, now }: RecordsDeps,
  seen: (key: string, agentId: string, id: string) => void,
): Records {
  const recordRates = createRates(limits.outsideRecords, 3_600_000, () => now().getTime());
  /** Ids of dialogs by key and session. */
  const known = new Map<string, Promise<RecordOutcome<string>>>();
  let scanned: Promise<void> | null = null;
  let reading: Promise<unknown> = Promise.resolve();
  let next: Promise<FoundRecord[]> | null = null;

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
    // The newest record of a session counts.
    for (const { dialogId, agent, dialog } of records.toReversed()) {
      known.set(nameOf(agent.key, agent.session), Promise.resolve({ ok: true, value: dialogId }));
      const events = dialog.sections.flatMap(eventsIn).slice(-limits.outsideIds);
      for (const { id, of } of events) seen(agent.key, of ?? agent.session, id);
    }
    // No one waits for requests from an engine that has ended.
    for (const { dialogId, agent, dialog } of records)
      if (lastCalls(dialog).some(isAsked)) await release(dialogId, actorOf(agent.session, agent.framework));
  }

  function readAll(): Promise<FoundRecord[]> {
    next = null;
    const found = findRecords(files);
    // The records aren't kept, because they can be large.
    reading = found.then(
      () => undefined,
      () => undefined,
    );
    return found;
  }

  async function release(dialogId: string, by: Actor): Promise<void> {
    await change(dialogId, by, (live) => {
      const ids = lastCalls(live.state.dialog).flatMap((call) => (isAsked(call) && !asks.isOpen(dialogId, call.id) ? [call.id] : []));
      return ids.length === 0 ? null : withdrawRequests(live.state.dialog, new Set(ids), now().toISOString());
    });
  }

  async function create(key: string, agent: NewAgent): Promise<RecordOutcome<string>> {
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

  async function ensure(key: string, agent: NewAgent): Promise<RecordOutcome<string>> {
    await scan();
    const name = nameOf(key, agent.agentId);
    const there = await known.get(name);
    if (there?.ok && (await dialogs.get(there.value))) return there;
    // Another event may have created a record in the meantime.
    const other = known.get(name);
    if (other && (await other) !== there) return ensure(key, agent);
    const making = create(key, agent);
    known.set(name, making);
    let isMade = false;
    try {
      const made = await making;
      isMade = made.ok;
      return made;
    } finally {
      if (!isMade && known.get(name) === making) known.delete(name);
    }
  }

  async function change(
    dialogId: string,
    by: Actor,
    make: (live: Live) => Recorded | null,
    durability: Durability = "relaxed",
  ): Promise<RecordOutcome<null>> {
    let changed: Live | null = null;
    const done = await dialogs.changeRecord(dialogId, by, (live) => {
      const made = make(live);
      if (made === null) return { taken: null, value: null };
      for (const id of made.withdrawn) {
        live.rules.delete(id);
        asks.settle(dialogId, id, null);
      }
      const state = { dialog: made.file.dialog, status: made.status, turn: null };
      const isSame = made.file.ops.length === 0 && made.status === live.state.status;
      if (!isSame) changed = live;
      return { taken: isSame ? null : { state, ops: made.file.ops, durability }, value: null };
    });
    if (!done.ok) return notStored(done.refusal);
    // A change must be on disk before it is acknowledged. This flushes the buffered changes of all concurrent callers together.
    if (changed !== null) await store.flush();
    if (!isGone(changed)) return { ok: true, value: null };
    // The buffered change didn't fit the file, because a user or an import had changed it. A strict write makes the file complete again.
    return durability === "relaxed"
      ? change(dialogId, by, make, "strict")
      : { ok: false, refusal: { kind: "storage", message: "the record could not be written" } };
  }

  return {
    async create(key, agent) {
      await scan();
      const made = await create(key, agent);
      if (made.ok) known.set(nameOf(key, agent.agentId), Promise.resolve(made));
      return made;
    },
    ensure,
    async find(key, agentId) {
      await scan();
      const there = await known.get(nameOf(key, agentId));
      return there?.ok === true && (await dialogs.get(there.value)) ? there.value : null;
    },
    change,
    release,
    async all() {
      await scan();
      // A read that has already begun may miss what was written since.
      next ??= reading.then(() => readAll());
      return next;
    },
  };
}

/** Whether the change couldn't be stored, so that the file was read again. */
const isGone = (live: Live | null): boolean => live?.gone === true;

const notStored = (refusal: PutRefusal): RecordOutcome<never> => ({
  ok: false,
  refusal: { kind: "storage", message: refusal.kind === "storage" ? refusal.message : `the record could not be written (${refusal.kind})` },
});

export const actorOf = (agentId: string, framework: string): Actor => ({
  kind: "outside",
  agentId: metaValue(agentId),
  framework: metaValue(framework),
});
