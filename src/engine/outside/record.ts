import { addCall, addMeta, addText, closeHead, isSettled, openSection, sectionTime, setCall, timeValue } from "../../dialog/edit.ts";
import { ranWith } from "../../dialog/call-json.ts";
import { isJsonObject, stringifyJson } from "../../dialog/json.ts";
import type { Call, Dialog, Json, JsonObject } from "../../dialog/model.ts";
import { callLines, eventDataLine, eventLines, type Report, reportLine } from "../../dialog/outside.ts";
import { lastSection } from "../../dialog/sections.ts";
import type { OutsideEvent, OutsideTool, Status } from "../../protocol/index.ts";
import { limits } from "../../protocol/limits.ts";
import { type Draft, draft } from "../turn/machine/draft.ts";
import { isAsked, isLost, lastCalls } from "../turn/machine/queries.ts";
import { asName, lastUse, lostName, nextUse, usesOf } from "./foreign-names.ts";

/** A record after an event, with the edits to write. */
export interface Recorded {
  readonly file: Draft;
  readonly status: Status;
  /** Ids of calls that the user is no longer asked about. The agent continues, so they were answered where it runs. */
  readonly withdrawn: readonly string[];
  /** The call whose end was written. */
  readonly ended?: string;
}

interface Facts {
  readonly dialog: Dialog;
  readonly status: Status;
}

/**
 * `named`: the sender gave the event's id, which is written below the event. `isOthers`: the event belongs to another agent than the record.
 * `stops`: the user has asked the agent to stop, and the agent has not been told yet.
 */
export interface RecordOptions {
  readonly named?: boolean;
  readonly isOthers?: boolean;
  readonly stops?: boolean;
}

/** Writes an outside agent's report into its record. Its texts always stay texts, whatever they contain. */
export function record(
  facts: Facts,
  event: OutsideEvent,
  { named = false, isOthers = false, stops = false }: RecordOptions = {},
): Recorded {
  const made = recordOne(facts, event, stops);
  if (made.file.ops.length === 0) return made;
  const data = event.metadata === undefined ? null : eventDataLine(stringifyJson(event.metadata));
  if (data !== null) made.file.edit((now) => addMeta(now, [data]));
  if (named) made.file.edit((now) => addMeta(now, eventLines(event.id, isOthers ? event.agentId : null, made.ended)));
  return made;
}

function recordOne({ dialog, status }: Facts, event: OutsideEvent, stops: boolean): Recorded {
  const file = draft(dialog);
  const time = new Date(event.timestamp).toISOString();
  // The agent's turn is over anyway.
  if (stops && endsTurn.has(event.type)) report(file, "stopVoid", time, "");
  const { tool } = event;
  switch (event.type) {
    case "tool_start":
      if (tool) begin(file, event, tool, time);
      return recorded(file, "active");
    case "tool_end": {
      const isLate = status === "done" && tool !== undefined && isNeverEnded(lastUse(dialog, tool.id));
      const done = tool ? end(file, event, tool, time) : { withdrawn: [] };
      // Events can overtake each other: the late end of a call does not make an ended agent active again.
      if (isLate) closePart(file, time);
      return { ...recorded(file, isLate ? status : "active"), ...done };
    }
    case "agent_start":
      report(file, "begun", time, event.trigger ?? "");
      return recorded(file, "active");
    case "agent_idle": {
      // The agent has already reported this.
      if (status === "waiting" && event.response === undefined && !lastCalls(dialog).some(isAsked)) return recorded(file, status);
      const withdrawn = withdraw(file, time, () => true);
      if (event.response !== undefined) say(file, event.response, time);
      report(file, "idle", time, event.reason ?? "");
      closePart(file, time);
      return { ...recorded(file, "waiting"), withdrawn };
    }
    case "agent_end": {
      const withdrawn = withdraw(file, time, () => true);
      for (const call of openCalls(file.dialog)) file.edit((now) => setCall(now, call.id, { result: neverEnded }));
      report(file, "ended", time, event.reason ?? "");
      closePart(file, time);
      return { ...recorded(file, "done"), withdrawn };
    }
    case "user_input": {
      const withdrawn = withdraw(file, time, () => true);
      closePart(file, time);
      file.edit((now) => openSection(now, "user", [{ key: "Time", value: time }], { open: false }));
      file.edit((now) => addText(now, event.text ?? ""));
      return { ...recorded(file, "active"), withdrawn };
    }
    case "notification": {
      const message = event.message ?? "";
      if (message.length > shortNotice) say(file, message, time);
      report(file, "notice", time, `${event.level === "error" ? "error" : event.level === "warning" ? "warning" : "info"} ${message}`);
      return recorded(file, status);
    }
    case "subagent_spawn":
      report(file, "spawned", time, `${callWord(dialog, event.toolUseId)} ${oneWord(event.agentId)}`);
      return recorded(file, "active");
    case "subagent_end":
      report(file, "spawnEnded", time, callWord(dialog, event.toolUseId));
      if (status !== "active" || !endsItself(dialog, event)) return recorded(file, status);
      closePart(file, time);
      return recorded(file, "waiting");
    case "agent_thinking":
      if (event.response !== undefined) say(file, event.response, time);
      return recorded(file, "active");
  }
}

/** Whether the sub-agent itself reports that it has finished, and not its parent, whose record has the call that started it. */
const endsItself = (dialog: Dialog, { toolUseId }: OutsideEvent): boolean =>
  dialog.head.some(({ key }) => key === "Launched by") && (toolUseId === undefined || lastUse(dialog, toolUseId) === null);

const endsTurn: ReadonlySet<OutsideEvent["type"]> = new Set(["agent_idle", "agent_end", "user_input"]);

/** The most UTF-16 units of a notice that fit in a line. */
const shortNotice = 240;
const neverEnded: JsonObject = { success: false, error: "The agent ended and reported no end of this call" };
const isNeverEnded = (call: Call | null): boolean => call?.result !== undefined && stringifyJson(call.result) === stringifyJson(neverEnded);

export interface RequestedCall {
  readonly tool: OutsideTool;
  /** `permission`: `tool.name` is a permission, which the agent needs for the call of another tool. */
  readonly asks: "tool" | "permission";
  readonly input: JsonObject;
  readonly context: string | null;
  /** The `> Authorized outside:` line that covers it; null if the user must decide. */
  readonly allowed: string | null;
}

/** Writes a call that the agent asks about. `id` in the result: the call's id in the record. */
export function ask(
  dialog: Dialog,
  { tool, asks, input, context, allowed }: RequestedCall,
  time: string,
): Recorded & { readonly id: string } {
  const file = draft(dialog);
  const begun = begunUse(dialog, tool, asks, input);
  if (begun !== null) {
    // The question is about a call that was already reported as begun. Its block gets the arguments of the question.
    if (allowed !== null) file.edit((now) => addMeta(now, callLines(begun.id, tool.category, context, allowed)));
    file.edit((now) => setCall(now, begun.id, { input, ...(allowed === null ? { started: null } : { decision: "approved" }) }));
    return { ...recorded(file, "active"), id: begun.id };
  }
  const how = { decision: allowed === null ? null : "approved", started: allowed === null ? null : time } as const;
  const id = addOne(file, { name: tool.name, id: tool.id, input, category: tool.category, context, allowed, time }, how);
  return { ...recorded(file, "active"), id };
}

/**
 * Writes decisions about calls. `changes`: the arguments that the user approved instead of the agent's, by call. `reason`: why calls were
 * denied. Null: the user gave no reason.
 */
export function decide(
  dialog: Dialog,
  decisions: ReadonlyMap<string, "approve" | "deny">,
  changes: ReadonlyMap<string, JsonObject>,
  reason: string | null,
  time: string,
): Recorded {
  const file = draft(dialog);
  for (const [id, word] of decisions) {
    const changed = changes.get(id);
    const approved = { decision: "approved", started: time, ...(changed === undefined ? {} : { changed }) } as const;
    file.edit((now) => setCall(now, id, word === "deny" ? { decision: "denied" } : approved));
    if (word === "deny" && reason !== null) report(file, "reason", time, `${id} ${reason}`);
  }
  return recorded(file, "active");
}

/** Withdraws the requests for these calls: the user is no longer asked about them. */
export function withdrawRequests(dialog: Dialog, ids: ReadonlySet<string>, time: string): Recorded {
  const file = draft(dialog);
  const withdrawn = withdraw(file, time, ({ id }) => ids.has(id));
  return { ...recorded(file, "active"), withdrawn };
}

/** While there are open requests, the record's status is `waiting`. */
function recorded(file: Draft, status: Status): Recorded {
  return { file, status: lastCalls(file.dialog).some(isAsked) ? "waiting" : status, withdrawn: [] };
}

function withdraw(file: Draft, time: string, which: (call: Call) => boolean): string[] {
  const ids = lastCalls(file.dialog).flatMap((call) => (isAsked(call) && which(call) ? [call.id] : []));
  for (const id of ids) {
    file.edit((now) => setCall(now, id, { started: time }));
    report(file, "elsewhere", time, id);
  }
  return ids;
}

/** Makes sure the last section is an open assistant section that isn't full. */
function agents(file: Draft, time: string): void {
  const last = lastSection(file.dialog);
  const isOpen = last?.role === "assistant" && sectionTime(last).open;
  // Open requests must stay in the last section.
  const isFull = isOpen && last.parts.length > 3 * limits.outsideCalls && !lastCalls(file.dialog).some(isAsked);
  if (isOpen && !isFull) return;
  closePart(file, time);
  file.edit((now) => openSection(now, "assistant", [{ key: "Time", value: timeValue(time) }], { open: true }));
}

/** Closes the agent's own part, if it is open. */
export function closePart(file: Draft, time: string): void {
  const last = lastSection(file.dialog);
  if (last?.role === "assistant" && sectionTime(last).open) file.edit((now) => closeHead(now, time));
}

function say(file: Draft, text: string, time: string): void {
  agents(file, time);
  file.edit((now) => addText(now, text));
}

/** Adds a line about something that is neither a text nor a call of the agent. */
export function report(file: Draft, what: Report, time: string, words: string): void {
  agents(file, time);
  file.edit((now) => addMeta(now, [reportLine(what, time, words)]));
}

interface NewCall {
  readonly name: string;
  readonly id: string;
  readonly input: JsonObject;
  readonly category: OutsideTool["category"];
  readonly context: string | null;
  readonly allowed?: string | null;
  readonly time: string;
}

/** Adds a call with the lines above it. Returns its id in the record. */
function addOne(file: Draft, call: NewCall, how: Pick<Call, "decision" | "started"> & { readonly result?: Json }): string {
  agents(file, call.time);
  const before = file.dialog;
  const wanted: Call = { id: nextUse(before, call.id), name: asName(call.name), input: call.input, result: undefined, ...how };
  // The call's id only depends on the calls before it.
  const { id } = addCall(before, wanted).call;
  const context = [lostName(call.name), call.context].filter((words) => words !== null).join(": ");
  file.edit((now) => addMeta(now, callLines(id, call.category, context, call.allowed)));
  file.edit((now) => addCall(now, { ...wanted, id }));
  return id;
}

function begin(file: Draft, event: OutsideEvent, tool: OutsideTool, time: string): void {
  const { input = {}, context = null } = event;
  // The call may have been asked about before it began. It may also have ended before its beginning was reported.
  const open = openCall(file.dialog, tool, event.input);
  if ((open && !isOtherUse(open, event.input)) || isOver(file.dialog, tool, event.timestamp)) return;
  addOne(file, { ...tool, input, context, time }, { decision: null, started: time });
}

/** A call that was only reported as begun, with other arguments than these: the agent has used its id again. */
const isOtherUse = (open: Call, input: JsonObject | undefined): boolean =>
  input !== undefined && open.decision === null && isLost(open) && !isSame(open.input, input);

function end(file: Draft, event: OutsideEvent, tool: OutsideTool, time: string): Pick<Recorded, "withdrawn" | "ended"> {
  const known = openCall(file.dialog, tool, event.input);
  const ms = event.duration ?? (known?.started ? Math.max(0, event.timestamp - Date.parse(known.started)) : null);
  const result: JsonObject = {
    success: event.success ?? event.error === undefined,
    ...(ms === null || !Number.isFinite(ms) ? {} : { ms }),
    ...(event.error === undefined ? {} : { error: cutText(event.error) }),
    ...(event.output === undefined ? {} : { output: cutJson(event.output) }),
  };
  if (known === null) {
    const started = new Date(event.timestamp - Math.min(ms ?? 0, event.timestamp)).toISOString();
    const add = (to: Draft) =>
      addOne(to, { ...tool, input: event.input ?? {}, context: event.context ?? null, time }, { decision: null, started, result });
    const added = draft(file.dialog);
    add(added);
    // The end was already reported.
    if (isToldAgain(lastUse(file.dialog, tool.id), lastUse(added.dialog, tool.id), event.input)) return { withdrawn: [] };
    return { withdrawn: [], ended: add(file) };
  }
  // The agent continues without waiting for an answer from Vibey.
  const withdrawn = withdraw(file, time, ({ id }) => id === known.id);
  file.edit((now) => setCall(now, known.id, { result }));
  return { withdrawn, ended: known.id };
}

/** The unfinished call for this use of the tool: found by its id, otherwise the last call with the same name and input. */
function openCall(dialog: Dialog, tool: OutsideTool, input: JsonObject | undefined): Call | null {
  const isTool = (call: Call): boolean => !isSettled(call) && call.name === asName(tool.name);
  const named = [...usesOf(dialog, tool.id)].filter(isTool);
  const like = input === undefined ? null : stringifyJson(input);
  const isLike = (call: Call): boolean => like !== null && stringifyJson(ranWith(call)) === like;
  return named.find(isLike) ?? named[0] ?? openCalls(dialog).findLast((call) => isTool(call) && isLike(call)) ?? null;
}

/**
 * The call that was reported as begun and that the agent now asks about. opencode's question contains the call's id. Claude Code's and Codex's
 * don't, so for them it is the last call with the same tool and arguments.
 */
function begunUse(dialog: Dialog, tool: OutsideTool, asks: "tool" | "permission", input: JsonObject): Call | null {
  const begun = lastCalls(dialog).filter((call) => isLost(call) && call.decision === null);
  const isLike = (call: Call): boolean => call.name === asName(tool.name) && isSame(call.input, input);
  const named = lastUse(dialog, tool.id)?.id;
  // The block has the name of the tool that was begun, so a question about another tool is a separate call.
  const isNamed = ({ id, name }: Call): boolean => id === named && (asks === "permission" || name === asName(tool.name));
  return begun.find(isNamed) ?? begun.findLast(isLike) ?? null;
}

/** Fields that a question adds to the reported arguments: Codex adds why it asks, and Claude Code's questions to the user have answers. */
const added: ReadonlySet<string> = new Set(["description", "answers"]);

/** The arguments without those fields, and without white space at the end of texts, which Codex removes from patches. */
const comparable = (input: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([field]) => !added.has(field))
      .map(([field, value]) => [field, typeof value === "string" ? value.trimEnd() : value]),
  );

const isSame = (one: JsonObject, other: JsonObject): boolean => stringifyJson(comparable(one)) === stringifyJson(comparable(other));

/** Whether this use of the tool already has an end, which is later than `begins`. */
function isOver(dialog: Dialog, tool: OutsideTool, begins: number): boolean {
  const call = lastUse(dialog, tool.id);
  if (call?.result === undefined || call.name !== asName(tool.name)) return false;
  if (call.started === null) return true;
  const took = isJsonObject(call.result) && typeof call.result["ms"] === "number" ? call.result["ms"] : 0;
  return begins <= Date.parse(call.started) + took;
}

/** Whether the last call with this id ended in the same way, so that the sender has repeated the event. */
function isToldAgain(before: Call | null, now: Call | null, input: JsonObject | undefined): boolean {
  if (before?.result === undefined || before.name !== now?.name) return false;
  return (input === undefined || isSame(ranWith(before), input)) && withoutTime(before.result) === withoutTime(now.result);
}

const withoutTime = (result: Json | undefined): string =>
  stringifyJson(
    result !== undefined && isJsonObject(result) ? Object.fromEntries(Object.entries(result).filter(([key]) => key !== "ms")) : null,
  );

/** The unfinished calls in the agent's last section. */
function openCalls(dialog: Dialog): Call[] {
  return lastCalls(dialog).filter((call) => !isSettled(call));
}

/** The id by which lines refer to the call with this foreign id. */
const callWord = (dialog: Dialog, id: string | undefined): string => (id === undefined ? null : lastUse(dialog, id)?.id) ?? oneWord(id);
const oneWord = (text = ""): string => text.replaceAll(/\s+/g, "_") || "-";

function cutText(text: string): string {
  const most = limits.outsideResult;
  return text.length <= most ? text : `${text.slice(0, most)}… (cut by Vibey at ${most} characters)`;
}

function cutJson(value: unknown): Json {
  if (typeof value === "string") return cutText(value);
  const json = asJson(value);
  const text = stringifyJson(json);
  return text.length <= limits.outsideResult ? json : cutText(text);
}

/** The result of `JSON.parse` is JSON. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the value only comes from JSON.parse
const asJson = (value: unknown): Json => value as Json;
