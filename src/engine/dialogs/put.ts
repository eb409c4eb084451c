import type { Call, Dialog } from "../../dialog/model.ts";
import type { Definition } from "../../dialog/redefined.ts";
import { earlierMessage } from "../../dialog/message-key.ts";
import { isRecord } from "../../dialog/outside.ts";
import { isHumans, mentionsOf, resolvesOf } from "../../dialog/replies.ts";
import type { Frame } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import type { AgentLookup } from "../agents/agent-lookup.ts";
import { resolveWords } from "../agents/resolver.ts";
import type { UsableAgent } from "../agents/usable-agent.ts";
import { applyDecisions, type RecordDecisionDeps } from "../outside/record-decisions.ts";
import { callHash } from "../projections/view.ts";
import type { Event } from "../turn/machine/model.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import { lastCalls } from "../turn/machine/queries.ts";
import { exceeds, networkNow } from "../turn/machine/user-permissions.ts";
import type { Turns } from "../turn/turns.ts";
import { type Answering, currentTarget } from "./answering.ts";
import type { DialogAccess } from "./dialog-access.ts";
import type { Dispatched } from "./dispatch.ts";
import { forkedFrom } from "./fork-point.ts";
import type { Live } from "./live.ts";
import { type Outcome, type PutDialog, type PutRefusal, refused } from "./outcome.ts";

type PutEvent = Extract<Event, { type: "put" }>;

export interface PutDeps extends RecordDecisionDeps {
  readonly agents: Pick<AgentLookup, "mentioned" | "resolver">;
  readonly answering: Pick<Answering, "put" | "turns">;
  readonly turns: Pick<Turns, "act">;
  readonly access: DialogAccess;
  readonly find: (dialogId: string) => Promise<Live | null>;
  readonly defaultModel: (provider: string) => string;
  /** What the agent is told first because its file has changed. Null if nothing. */
  readonly redefined: (live: Live) => Promise<Definition | null>;
}

/** What the user sends to a dialog. */
export interface Puts {
  /** Handles decisions, permissions and a message. `onFrame` receives the frames of the resulting turn. */
  put(id: string, wanted: PutDialog, onFrame?: (frame: Frame) => void): Promise<Outcome<Live>>;
  /** Requests a summary of a fork, which is written into the fork. */
  resolve(id: string): Promise<Outcome<Live>>;
}

export function createPuts(deps: PutDeps): Puts {
  const { withLive, outcome } = deps.access;
  return {
    put: (id, wanted, onFrame) => withLive(id, (live) => putInOrder(deps, live, wanted, onFrame)),
    resolve: (id) =>
      withLive(id, async (live) => {
        const { dialog } = live.state;
        const from = forkedFrom(dialog.head);
        if (from === null) return refused({ kind: "no-fork" });
        // A second click does nothing.
        if (await isBeingSummedUp(dialog, deps)) return { ok: true, value: live };
        const { provider, model } = currentTarget(dialog);
        const event: PutEvent = {
          type: "put",
          decisions: new Map(),
          authority: [],
          prompt: resolveWords,
          resolves: from.dialogId,
          provider,
          model,
          time: deps.now().toISOString(),
        };
        const done = live.state.turn
          ? await deps.turns.act(live, event)
          : await deps.answering.put(live, event, [await deps.agents.resolver()]);
        return outcome(live, done);
      }),
  };
}

/** Whether the agent that was asked for a summary of this fork is still working. */
async function isBeingSummedUp({ sections }: Dialog, { find }: Pick<PutDeps, "find">): Promise<boolean> {
  const asked = sections.findLast((section) => isHumans(section) && resolvesOf(section) !== null);
  const [mention] = asked ? mentionsOf(asked) : [];
  return mention !== undefined && (await find(mention.dialogId))?.state.status === "active";
}

async function putInOrder(
  deps: PutDeps,
  live: Live,
  wanted: PutDialog,
  onFrame: ((frame: Frame) => void) | undefined,
): Promise<Outcome<Live>> {
  const { outcome } = deps.access;
  const changed = lastCalls(live.state.dialog).filter((call) => isDecidedOtherwise(call, wanted));
  if (changed.length > 0) return refused({ kind: "changed", ids: changed.map((call) => call.id) });
  if (isRecord(live.state.dialog)) return outcome(live, await applyDecisions(live, wanted, deps));
  const { key } = wanted;
  const earlier = key === undefined ? null : earlierMessage(live.state.dialog, key, deps.now().getTime() - limits.messageKeyMs);
  if (earlier !== null) return earlier === "same" ? { ok: true, value: live } : refused({ kind: "other-message" });
  const stale = staleAnswer(live, wanted);
  if (stale) return refused(stale);
  // A message during a turn is refused, so there is no need to look for agents.
  const agents = wanted.prompt === null || live.state.turn ? [] : await deps.agents.mentioned(wanted.prompt, wanted.mentions);
  if (wanted.order === "turns" && !live.state.turn && agents.length < 2)
    return refused({ kind: "too-few", agents: agents.map(({ agent: { slug } }) => slug) });
  const told = wanted.prompt !== null && agents.length === 0 && !live.state.turn ? await tellDefinition(deps, live) : null;
  if (told?.ok === false && "failure" in told) return outcome(live, told);
  if (onFrame) live.frames.add(onFrame);
  const done = await actWith(deps, live, putEvent(deps, live, wanted), agents, wanted.order);
  if (onFrame && (!done.ok || !live.state.turn)) live.frames.delete(onFrame);
  return outcome(live, done);
}

/** Tells the agent its changed definition, if it changed. Refused while calls are undecided or wait to run. */
async function tellDefinition({ redefined, turns, now }: PutDeps, live: Live): Promise<Dispatched | null> {
  const told = await redefined(live);
  if (told === null) return null;
  const event = { type: "signals", signals: [], wake: false, time: now().toISOString() } as const;
  return turns.act(live, { ...event, redefined: { ...told, dialogId: live.id } });
}

function putEvent(deps: PutDeps, live: Live, wanted: PutDialog): PutEvent {
  const provider = currentProvider(live.state.dialog);
  const model = currentModel(live.state.dialog);
  const isSame = wanted.provider === null || wanted.provider === provider;
  return {
    type: "put",
    decisions: wanted.decisions,
    authority: wanted.authority,
    prompt: wanted.prompt,
    ...(wanted.again ? { again: true } : {}),
    ...(wanted.changes === undefined ? {} : { changes: wanted.changes }),
    ...(wanted.key === undefined ? {} : { key: wanted.key }),
    provider: wanted.provider ?? provider,
    model: wanted.model ?? (isSame ? model : deps.defaultModel(wanted.provider ?? provider)),
    time: deps.now().toISOString(),
  };
}

/** Stores the message and starts its answer, by the dialog's own agent or by the mentioned agents. */
function actWith(
  { turns, answering }: PutDeps,
  live: Live,
  event: PutEvent,
  agents: readonly UsableAgent[],
  order: PutDialog["order"],
): Promise<Dispatched> {
  const [first, ...rest] = agents;
  if (first === undefined) return turns.act(live, event);
  if (order === "turns") return answering.turns(live, event, agents);
  if (order !== "sequence") return answering.put(live, { ...event, order: [] }, agents);
  // In a sequence, the others answer after the first.
  return answering.put(live, { ...event, order: rest.map(({ agent: { slug } }) => slug) }, [first]);
}

/**
 * Whether a decision is for a different version of the call. An approval must name the current version. A denial may leave it out, but must not
 * name a wrong one.
 */
function isDecidedOtherwise(call: Call, { decisions, hashes }: PutDialog): boolean {
  const word = decisions.get(call.id);
  if (word === undefined || (word === "deny" && !hashes.has(call.id))) return false;
  return hashes.get(call.id) !== callHash(call);
}

/** Why an answer is outdated. Null if each answer names the open question, or if no question about its host is open. */
function staleAnswer(live: Live, { authority, questions }: PutDialog): PutRefusal | null {
  const open = live.activity?.kind === "running" ? live.activity.ask : null;
  const said = networkNow(live.state);
  for (const change of authority) {
    if (!("host" in change)) continue;
    const given = questions.get(change.host) ?? null;
    const isOpen = open?.host === change.host;
    // Narrowing a permission is always safe.
    const needsName = isOpen && exceeds(change.word, said.get(change.host));
    if (given === null ? !needsName : isOpen && open.question === given) continue;
    return { kind: "question", host: change.host, given, open: open && { host: open.host, question: open.question } };
  }
  return null;
}
