import { isOwnFormat } from "../../../dialog/agent.ts";
import { ranWith, storableJson } from "../../../dialog/call-json.ts";
import { isJsonObject } from "../../../dialog/json.ts";
import { addMeta, addText, addToHead, openSection, setCall } from "../../../dialog/edit.ts";
import { isBareGrant, networkOf } from "../../../dialog/consent.ts";
import type { HostWord } from "../../../dialog/ids.ts";
import type { Call, Dialog, JsonObject, Meta } from "../../../dialog/model.ts";
import { messageKeyLine } from "../../../dialog/message-key.ts";
import { fromLine, mentionLines, orderLines, resolvesLine, roomOf, sideLine } from "../../../dialog/replies.ts";
import { asFormat2, findCall } from "../../../dialog/sections.ts";
import { wasStoppedBeforeRun } from "../../../dialog/stopped.ts";
import { isSameInput } from "./changes.ts";
import { draft } from "./draft.ts";
import type { AuthorityChange, DecidedCall, Event, MachineOptions, State, Step, Turn } from "./model.ts";
import { queuedIn } from "./queued.ts";
import { exceeds } from "./user-permissions.ts";
import { failureIn, isBrokenOff, isRunnable, isUndecided, lastCalls } from "./queries.ts";
import { currentModel, currentProvider, request, nextStep, tooMany } from "./next-step.ts";

/**
 * The user acts. Repeating a decision does nothing, so two clicks count as one. A decision on a missing call does nothing either. A decision that
 * contradicts an earlier one is refused, with everything that came with it. So is an approval of a call that the user has stopped.
 */
export function put(state: State, event: Extract<Event, { type: "put" }>, options: MachineOptions): Step {
  const { turn } = state;
  if (!isOwnFormat(state.dialog.format)) return { ok: false, refusal: { kind: "format", format: state.dialog.format } };
  const contradicted = contradictions(state.dialog, event);
  if (contradicted.length > 0) return { ok: false, refusal: { kind: "decided", calls: contradicted } };
  const stopped = [...event.decisions].flatMap(([id, word]) => (word === "approve" && wasStopped(state.dialog, id) ? [id] : []));
  if (stopped.length > 0) return { ok: false, refusal: { kind: "stopped", ids: stopped } };
  const undecided = lastCalls(state.dialog).filter(isUndecided);
  const decided = undecided.filter((call) => event.decisions.has(call.id));
  if (turn?.phase === "responding" && decided.length > 0) return { ok: false, refusal: { kind: "active" } };
  const again = event.again === true;
  if (event.prompt !== null || again) {
    if (turn) return { ok: false, refusal: { kind: "active" } };
    const left = undecided.filter((call) => !event.decisions.has(call.id));
    if (left.length > 0) return { ok: false, refusal: { kind: "undecided", ids: left.map((call) => call.id) } };
  }

  if (again && failureIn(state.dialog) === null && !isBrokenOff(state.dialog)) return { ok: false, refusal: { kind: "not-failed" } };

  const mentions = event.prompt === null ? [] : (event.mentions ?? []);
  const isAnsweredElsewhere = mentions.length > 0 || event.side !== undefined;
  const file = draft(isAnsweredElsewhere ? asFormat2(state.dialog) : state.dialog);
  for (const call of decided) {
    const decision = wordOf[event.decisions.get(call.id) ?? "deny"];
    const given = decision === "approved" ? event.changes?.get(call.id) : undefined;
    const changed = given === undefined || isSameInput(call.input, given) ? undefined : given;
    const why = changed === undefined ? null : unfit(call, changed, state.dialog, options);
    if (why !== null) return { ok: false, refusal: { kind: "unfit", id: call.id, why } };
    file.edit((dialog) => setCall(dialog, call.id, { decision, ...(changed === undefined ? {} : { changed }) }));
  }
  // A section that waits in the queue isn't being written, and permissions that are only held would be lost with the engine.
  const isHeld = turn?.phase === "responding" && queuedIn(state.dialog) === null;
  const held = isHeld ? heldAfter(turn.held, event.authority, state.dialog) : (turn?.held ?? []);
  if (isHeld) writeRestrictions(file, event.authority);
  else writeAuthority(file, event.authority);

  const { prompt } = event;
  const from = event.from ? [fromLine(event.from)] : [];
  const resolves = event.resolves === undefined ? [] : [resolvesLine(event.resolves)];
  const key = event.key === undefined ? [] : [messageKeyLine(event.key)];
  const side = event.side === undefined ? [] : [sideLine(event.side)];
  if (prompt !== null) {
    file.edit((dialog) =>
      openSection(
        dialog,
        "user",
        [
          { key: "Time", value: event.time },
          ...from,
          ...mentionLines(mentions),
          ...orderLines(event.order ?? []),
          ...resolves,
          ...side,
          ...key,
        ],
        { open: false },
      ),
    );
    file.edit((dialog) => addText(dialog, prompt));
  }

  const stored = { ok: true, ops: file.ops, durability: "strict" } as const;
  const pastCost = event.authority.some((change) => "cost" in change && change.cost === "once") ? ({ pastCost: true } as const) : {};
  if (turn) {
    const kept = { ...turn, held, ...pastCost };
    if (turn.phase === "responding") return { ...stored, state: { ...state, dialog: file.dialog, turn: kept }, effects: [] };
    const next = nextStep(file, kept, event.time, options);
    return { ...stored, state: { dialog: file.dialog, status: next.status, turn: next.turn }, effects: next.effects };
  }

  const fresh: Turn = { phase: "settling", requests: 0, running: null, held: [], content: "", autoExecuted: [], ...pastCost };
  const changed = event.provider !== currentProvider(file.dialog) || event.model !== currentModel(file.dialog);
  const isOthers = isAnsweredElsewhere || (prompt !== null && roomOf(file.dialog.head) !== null);
  if (isOthers && !lastCalls(file.dialog).some(isRunnable)) {
    // Only the mentioned agents answer. A room has no other agent.
    return { ...stored, state: { dialog: file.dialog, status: "waiting", turn: null }, effects: [] };
  }
  if ((prompt !== null || again) && !lastCalls(file.dialog).some(isRunnable)) {
    const next = options.requestsPerTurn > 0 ? request(file, fresh, event.time, changed ? event : undefined) : tooMany(file, fresh);
    return { ...stored, ops: file.ops, state: { dialog: file.dialog, status: next.status, turn: next.turn }, effects: next.effects };
  }
  if (prompt !== null && changed) {
    // Approved calls run first. The section after them takes its provider from here.
    file.edit((dialog) =>
      addMeta(dialog, [
        { key: "Provider", value: event.provider },
        { key: "Model", value: event.model },
      ]),
    );
  }
  if (prompt === null && !again && decided.length === 0) return { ...stored, state: { ...state, dialog: file.dialog }, effects: [] };
  const next = nextStep(file, fresh, event.time, options);
  return { ...stored, ops: file.ops, state: { dialog: file.dialog, status: next.status, turn: next.turn }, effects: next.effects };
}

/** Why the call can't run with these arguments. Null if it can. */
function unfit({ name }: Call, changed: JsonObject, dialog: Dialog, { check }: MachineOptions): string | null {
  const input = storableJson(changed);
  return isJsonObject(input) ? check({ name, input }, dialog) : "expected a JSON object";
}

/** The decisions that contradict earlier ones. Approving a call again with other arguments does, too. */
function contradictions(
  dialog: Dialog,
  { decisions, changes }: Pick<Extract<Event, { type: "put" }>, "decisions" | "changes">,
): DecidedCall[] {
  return [...decisions].flatMap(([id, word]): DecidedCall[] => {
    const call = findCall(dialog, id)?.call;
    const decision = call?.decision ?? null;
    if (call === undefined || decision === null) return [];
    if (decision !== wordOf[word]) return [{ id, decision }];
    if (decision === "denied" || isSameInput(changes?.get(id) ?? call.input, ranWith(call))) return [];
    return [{ id, decision, withOtherArguments: true }];
  });
}

/** Whether the call was undecided when the user stopped the agent. */
function wasStopped(dialog: Dialog, id: string): boolean {
  const call = findCall(dialog, id)?.call;
  return call !== undefined && call.decision === null && wasStoppedBeforeRun(call.result);
}

const wordOf = { approve: "approved", deny: "denied" } as const;

export function writeAuthority(file: ReturnType<typeof draft>, changes: readonly AuthorityChange[]): void {
  if (changes.length === 0) return;
  file.edit((dialog) =>
    addMeta(
      dialog,
      changes.flatMap((change) => authorityLines(change, dialog)),
    ),
  );
}

/** Whether the change permits no more than the file does. */
function restricts(change: AuthorityChange, dialog: Dialog): boolean {
  if ("tool" in change) return !change.allow;
  return "host" in change && (change.word === "refused" || !exceeds(change.word, networkOf(dialog).get(change.host)));
}

/** What is written when the section that is being written ends. A restriction is in its head already; after a held permission, it is repeated. */
function heldAfter(held: readonly AuthorityChange[], given: readonly AuthorityChange[], dialog: Dialog): readonly AuthorityChange[] {
  const all = [...held, ...given];
  const firstPermission = all.findIndex((change) => !restricts(change, dialog));
  return firstPermission < 0 ? [] : all.slice(firstPermission);
}

/** Restrictions go into the head of the section that is being written: only in memory, they would be lost with the engine. */
function writeRestrictions(file: ReturnType<typeof draft>, changes: readonly AuthorityChange[]): void {
  const lines = changes.filter((change) => restricts(change, file.dialog)).flatMap((change) => authorityLines(change, file.dialog));
  if (lines.length > 0) file.edit((dialog) => addToHead(dialog, lines));
}

function authorityLines(change: AuthorityChange, dialog: Dialog): Meta[] {
  if ("tool" in change) return [{ key: change.allow ? "Authorized" : "Revoked", value: change.tool }];
  if ("host" in change) return hostLines(change.host, change.word, dialog);
  if ("cost" in change) return [{ key: "Limit", value: `cost ${change.cost}` }];
  return [{ key: "Limit", value: `command ${change.commandSeconds}` }];
}

/**
 * An earlier Vibey ignores a line with a word after the host. If it would still read an older line as permission for everything, that line is
 * revoked first.
 */
function hostLines(host: string, word: HostWord, dialog: Dialog): Meta[] {
  const refused = { key: "Network refused", value: host };
  if (word === "refused") return [refused];
  return [...(isBareGrant(dialog, host) ? [refused] : []), { key: "Network", value: `${host} ${word}` }];
}
