import { agentOf, isOwnFormat } from "../../dialog/agent.ts";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { nameOf } from "../../fs/vibey-name.ts";
import type { HostWord } from "../../dialog/ids.ts";
import type { AsksAnswer, CallView, CostPriceView, DialogView, MessageView, PartView, UsageView } from "../../protocol/index.ts";
import { mailOf } from "../outside/mail.ts";
import { callWords, isAssistRecord, isRecord, outsideOf, toAgentOf, unseenKeys } from "../../dialog/outside.ts";
import { runOf } from "../../dialog/run.ts";
import { authorized, grants } from "../../dialog/authority.ts";
import { allowsTool } from "../../dialog/tool-words.ts";
import { importedWords } from "../../dialog/consent.ts";
import { ALLOWED, type AllowingLine, allowedCalls, grantedValues } from "../../dialog/grants.ts";
import { MESSAGE_KEY } from "../../dialog/message-key.ts";
import { stringifyJson } from "../../dialog/json.ts";
import { fromOf, mentionsOf, orderOf, repliesTo, resolvesOf, roomOf, sideOf, systemOf, topicOf, turnsOf } from "../../dialog/replies.ts";
import type { Call, Meta, Section } from "../../dialog/model.ts";
import { after, sectionAt, sectionCount, standingBefore } from "../../dialog/sections.ts";
import { failureIn, isAsked, lastCalls, lastOwn, metaOf } from "../turn/machine/queries.ts";
import { currentModel, currentProvider } from "../turn/machine/next-step.ts";
import { costSoFar, parseCached, parseCost, parsePrice } from "../cost/lines.ts";
import { parseUsage } from "../turn/machine/usage.ts";
import { readUsedThere, type UsedThere, usedThereKeys } from "../turn/machine/used-there.ts";
import { networkSaid } from "../turn/machine/user-permissions.ts";
import { commandLimit } from "../turn/command-limit.ts";
import { contextOf } from "./context.ts";
import { forkedFrom, readForkedFrom } from "../dialogs/fork-point.ts";
import type { Live } from "../dialogs/live.ts";

const inFields = new Set([
  "Time",
  "Queued",
  "Provider",
  "Model",
  "Usage",
  "Usage cumulative",
  "Usage cached",
  ...usedThereKeys,
  "Tokens estimated",
  "Tokens cumulative",
  "Cost",
  "Price",
  "Cost cumulative",
  "Stop",
  "From",
  "Removed",
  "Mentions",
  "Then",
  "Resolves",
  "Topic",
  "Side",
  "Turns",
  "System",
  MESSAGE_KEY,
  ALLOWED,
]);
const headFields = new Set(["Provider", "Model", "Started", "Launched by", "Prompt by", "Continued from", "Replies to", "Room"]);
const agentFields = new Set(["Agent", "Tools"]);
const outsideFields = new Set(["Outside", "Session", "Cwd", "Name", "Key"]);
const isHeadField = ({ key, value }: Meta) => headFields.has(key) || (key === "Forked from" && readForkedFrom(value) !== null);
/** By call, for a call whose input is parsed on demand, and by input, which stays the same object when other parts of the call change. */
const hashes = new WeakMap<Call | Call["input"], string>();

/** SHA-256 of what a click on Approve confirms: tool, id and input as in the file. */
export function callHash(call: Call): string {
  const known = hashes.get(call) ?? hashes.get(call.input);
  if (known !== undefined) return known;
  const hash = bytesToHex(sha256(utf8ToBytes(`${call.name} [${call.id}]\n${stringifyJson(call.input)}`)));
  hashes.set(call, hash);
  hashes.set(call.input, hash);
  return hash;
}

export function headView(live: Live): Omit<DialogView, "messages"> {
  const { dialog, status } = live.state;
  const agent = agentOf(dialog);
  const filename = nameOf(live.path) ?? live.path;
  return {
    dialogId: live.id,
    filename,
    status,
    provider: currentProvider(dialog),
    model: currentModel(dialog),
    agent: agent && { slug: agent.slug, hash: runOf(dialog.head) === null ? agent.hash : "", tools: agent.tools, text: agent.text },
    started: lineOf(dialog.head, "Started"),
    outside: outsideView(live),
    launchedBy: lineOf(dialog.head, "Launched by"),
    repliesTo: repliesTo(dialog.head),
    room: roomOf(dialog.head),
    continuedFrom: lineOf(dialog.head, "Continued from"),
    forkedFrom: forkedFrom(dialog.head),
    context: contextOf(live),
    cost: costSoFar(dialog),
    authorized: [...[...authorized(dialog)].toSorted(), ...grantedValues(grants(dialog)).toSorted()],
    network: networkView(live),
    commandSeconds: commandLimit(live).seconds,
    imported: importedView(live),
    output: live.output,
    background: live.background(),
    readOnlyReason:
      dialog.format === null || isOwnFormat(dialog.format)
        ? null
        : isRecord(dialog)
          ? isAssistRecord(dialog)
            ? assistReason
            : recordReason
          : `This dialog uses format ${dialog.format}, which is newer than this version of Vibey supports. You can read it but not continue it.`,
    notes: [
      ...metaPart(
        dialog.head.filter(
          (line) => !isHeadField(line) && !(agent && agentFields.has(line.key)) && !(isRecord(dialog) && outsideFields.has(line.key)),
        ),
      ),
      ...(agent && agent.text !== "" ? dialog.parts.slice(1) : dialog.parts).flatMap((part) =>
        part.kind === "text" ? [part] : part.kind === "meta" ? metaPart(part.lines) : [],
      ),
    ],
    activity: live.activity,
    failure: failureOf(live),
  };
}

function outsideView(live: Live): DialogView["outside"] {
  const agent = outsideOf(live.state.dialog);
  if (agent === null) return null;
  const { reachable, pending, stop } = mailOf(live, live.state.dialog);
  return { ...agent, takesMessages: reachable && live.state.status !== "done", pending: pending.length, stopping: stop };
}

const recordReason =
  "This is a record of an agent outside Vibey. It can be read, searched and forked, and is continued where the agent runs.";

const assistReason =
  "Phones and programs asked for this outside any dialog: text of recordings, speech, and translations. It stands here for what it cost.";

function networkView({ state }: Live): DialogView["network"] {
  return hostsView(networkSaid(state));
}

function hostsView(said: ReadonlyMap<string, HostWord>): DialogView["network"] {
  const hosts = Array.from(said, ([host, word]) => ({ host, word })).toSorted((one, other) => (one.host < other.host ? -1 : 1));
  const named = (isRefused: boolean) => hosts.flatMap(({ host, word }) => ((word === "refused") === isRefused ? [host] : []));
  return { allowed: named(false), refused: named(true), hosts };
}

function importedView({ state }: Live): DialogView["imported"] {
  const { tools, hosts, commandSeconds } = importedWords(state.dialog);
  return { tools: [...tools].toSorted(), ...hostsView(hosts), commandSeconds };
}

export function messageView(live: Live, index: number): MessageView {
  const section = sectionAt(live.state.dialog, index);
  if (!section) throw new RangeError(`message ${index} of ${sectionCount(live.state.dialog)}`);
  return viewOf(live, section, index);
}

export function dialogView(live: Live): DialogView {
  return { ...headView(live), messages: live.state.dialog.sections.map((section, index) => viewOf(live, section, index)) };
}

/** Reads only the end of the dialog, however long it is. */
export function asksView(live: Live): AsksAnswer {
  const { dialog, status } = live.state;
  const undecided = status === "waiting" ? lastCalls(dialog).filter(isAsked) : [];
  const last = lastOwn(dialog);
  const lines = last ? metaOf(last) : [];
  const stop = lineOf(lines, "Stop");
  return {
    dialogId: live.id,
    provider: currentProvider(dialog),
    calls: undecided.map((call) => callView(live, call, false, [])),
    cut: undecided.length > 0 && stop !== null,
    question: last?.role === "assistant" && stop === null ? lineOf(lines, "Waiting") : null,
    stop,
  };
}

/** The number of parts in the view of a section. */
export function partCount(section: Section): number {
  return section.parts.reduce((sum, part) => sum + (part.kind === "meta" ? metaPart(part.lines).length : 1), metaPart(section.head).length);
}

function viewOf(live: Live, section: Section, index: number): MessageView {
  const { dialog } = live.state;
  const lines = metaOf(section);
  const [start, end] = (lineOf(section.head, "Time") ?? "").split(" -");
  const parts: PartView[] = metaPart(isRecord(dialog) ? section.head.filter(({ key }) => !unseenKeys.has(key)) : section.head);
  const allowedBy = allowedCalls(lines);
  const outside = isRecord(dialog) ? callWords(section) : null;
  const reporter = section.role === "user" && toAgentOf(section) === null ? outsideOf(dialog)?.framework : undefined;
  let here = after(standingBefore(dialog, index), section.head, dialog.format);
  const isThere = ({ id, name }: Call) => (outside === null ? allowsTool(here.authorized, name) : outside.get(id)?.allowed === true);
  for (const part of section.parts) {
    if (part.kind === "text") parts.push(part);
    else if (part.kind === "call") {
      const { call } = part;
      parts.push({ kind: "call", call: callView(live, call, isThere(call), allowedBy.get(call.id) ?? []) });
    } else {
      const shown = outside === null ? part.lines : part.lines.filter(({ key }) => !unseenKeys.has(key));
      parts.push(...metaPart(shown));
      here = after(here, part.lines, dialog.format);
    }
  }
  const [resolves, topic, side, turns] = [resolvesOf(section), topicOf(section), sideOf(section), turnsOf(section)];
  const there = readUsedThere(lines);
  const [from, mentions, order, system] = [fromOf(section), mentionsOf(section), orderOf(section), systemOf(section)];
  return {
    role: section.role,
    ...(from === null ? {} : { from }),
    ...(mentions.length === 0 ? {} : { mentions }),
    ...(order.length === 0 ? {} : { order }),
    ...(resolves === null ? {} : { resolves }),
    ...(topic === null ? {} : { topic }),
    ...(side === null ? {} : { side }),
    ...(turns === null ? {} : { turns }),
    ...(system === null ? {} : { system }),
    ...(reporter === undefined ? {} : { reportedBy: reporter }),
    start: start?.trim() || null,
    end: end?.trim() || null,
    provider: lineOf(section.head, "Provider"),
    model: lineOf(section.head, "Model"),
    parts,
    usage: usageOf(lines, "Usage") ?? totalThere(there),
    usageCumulative: usageOf(lines, "Usage cumulative"),
    ...(there?.cost ? { cost: there.cost } : {}),
    ...costOf(lines),
    stop: lineOf(lines, "Stop"),
  };
}

function callView(
  live: Pick<Live, "before" | "lines" | "patterns" | "rules">,
  call: Call,
  authorizedThere: boolean,
  allowing: readonly AllowingLine[] = [],
): CallView {
  const line = live.lines.get(call.id);
  const patterns = live.patterns.get(call.id);
  const rules = live.rules.get(call.id);
  const isApproved = call.decision === "approved";
  return {
    id: call.id,
    tool: call.name,
    input: call.input,
    ...(call.changed === undefined ? {} : { changed: call.changed }),
    state: stateOf(call),
    started: call.started,
    allowedBy: !isApproved ? null : authorizedThere || allowing.length > 0 ? "authorization" : "human",
    ...(isApproved && allowing.length > 0 ? { allowedByLines: allowing } : {}),
    result: call.result ?? null,
    hash: callHash(call),
    before: live.before.get(call.id) ?? null,
    ...(line === undefined ? {} : { line }),
    ...(patterns === undefined || stateOf(call) !== "pending" ? {} : { patterns }),
    ...(rules === undefined || stateOf(call) !== "pending" ? {} : { rules }),
  };
}

function stateOf(call: Call): CallView["state"] {
  if (call.decision === "denied") return "denied";
  if (call.result !== undefined) return "finished";
  if (call.started !== null) return "running";
  return call.decision === "approved" ? "approved" : "pending";
}

function metaPart(lines: readonly Meta[]): PartView[] {
  const shown = lines.filter(({ key }) => !inFields.has(key));
  return shown.length > 0 ? [{ kind: "meta", lines: shown }] : [];
}

function lineOf(lines: readonly Meta[], key: string): string | null {
  return lines.findLast((line) => line.key === key)?.value ?? null;
}

function usageOf(lines: readonly Meta[], key: string): UsageView | null {
  const value = lineOf(lines, key);
  return value === null ? null : parseUsage(value);
}

const totalThere = (there: UsedThere | null): UsageView | null =>
  there && { ...there.usage, total: there.usage.input + there.usage.output };

function costOf(lines: readonly Meta[]): Pick<MessageView, "cached" | "cost"> {
  const cached = parseCached(lineOf(lines, "Usage cached") ?? "");
  const cost = parseCost(lineOf(lines, "Cost") ?? "");
  const price = priceOf(lines);
  return { ...(cached === null ? {} : { cached }), ...(cost === null ? {} : { cost: { ...cost, ...(price === null ? {} : { price }) } }) };
}

function priceOf(lines: readonly Meta[]): CostPriceView | null {
  const used = parsePrice(lineOf(lines, "Price") ?? "");
  return used && { ...used.price, source: used.source.by === "list" ? { list: used.source.date } : used.source.by };
}

function failureOf(live: Live): DialogView["failure"] {
  const message = failureIn(live.state.dialog);
  return message === null ? null : { reason: "error", message };
}
