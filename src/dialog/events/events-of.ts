import { type Actor, agent } from "../../fs/actor.ts";
import { agentOf, agentPath, isOwnFormat } from "../agent.ts";
import { sectionTime } from "../edit.ts";
import { allowedCalls } from "../grants.ts";
import { fromOf, repliesTo, resolvesOf, systemOf } from "../replies.ts";
import { incompleteOf } from "../incomplete-call.ts";
import { callWords, isRecord, outsideOf, readReport, reportKeys, toAgentOf } from "../outside.ts";
import type { Dialog, Meta, Part, Section } from "../model.ts";
import { after, isMessage, sectionAt, sectionCount, type Standing, standing, standingBefore } from "../sections.ts";
import { isStrike } from "../progress.ts";
import { problemsOf, readPause, runOf } from "../run.ts";
import { definitionIn } from "../redefined.ts";
import { readTime } from "../time.ts";
import { allowsTool } from "../tool-words.ts";
import { type Add, adder } from "./add.ts";
import { Clock, type Moment } from "./clock.ts";
import type { DialogEvent, EventData } from "./model.ts";
import { readCall } from "./read-call.ts";

/**
 * Everything that happened according to the text of a dialog, in the order of the text. A block is filled in place, so the order of events in time
 * can differ: the project's log knows it.
 *
 * - The same dialog always gives the same events. Text that only looks like structure gives none.
 * - A dialog that grows keeps its events. Unfinished content is not an event yet: a text that may get longer, an incomplete call.
 * - `from`: only the events of this section and those after it. 0 includes the header.
 */
export function eventsOf(dialog: Dialog, dialogId: string, from = 0): DialogEvent[] {
  const events = from === 0 ? eventsOfHeader(dialog, dialogId) : [];
  const generation = generationOf(dialog);
  const count = sectionCount(dialog);
  for (let index = from; index < count; index++)
    for (const event of eventsOfSection(dialog, dialogId, index, { generation })) events.push(event);
  return events;
}

/** The events before all sections. */
export function eventsOfHeader(dialog: Dialog, dialogId: string): DialogEvent[] {
  const events: DialogEvent[] = [];
  const first = firstMessage(dialog);
  const of = {
    dialogId,
    agentId: agentPath(dialog),
    turn: first,
    generation: generationOf(dialog),
    place: "h",
    anchor: null,
    own: ownerOf(dialog, dialogId),
  };
  readHeader(dialog, first, new Clock(standingBefore(dialog, 0).time ?? ""), adder(events, of));
  return events;
}

export interface SectionOptions {
  /** The dialog's generation, if the caller knows it. */
  readonly generation?: number;
  /** Skips calls and metadata that are the same objects as these, at the same index. */
  readonly except?: readonly Part[];
}

/** The events of section `index` alone. Empty if there is no such section. */
export function eventsOfSection(dialog: Dialog, dialogId: string, index: number, options: SectionOptions = {}): DialogEvent[] {
  const { generation = generationOf(dialog), except = [] } = options;
  const section = sectionAt(dialog, index);
  const events: DialogEvent[] = [];
  if (section === undefined) return events;
  const before = standingBefore(dialog, index);
  const agentId = agentPath(dialog);
  readSection({ dialog, dialogId, agentId, generation, index, section, before, except, clock: new Clock(before.time ?? ""), events });
  return events;
}

/** The owner of the dialog: its own agent, or in a record the agent outside Vibey. */
function ownerOf(dialog: Dialog, dialogId: string): Actor {
  const outside = outsideOf(dialog);
  return outside === null ? agent(dialogId) : { kind: "outside", agentId: outside.session, framework: outside.framework };
}

/** How often the user edited the file. Each edit starts a new numbering of the dialog's events. */
export function generationOf(dialog: Dialog): number {
  return standing(dialog).edits;
}

/** Characters of a title. */
const titleLength = 120;

/** The section that began the dialog. Context from another dialog comes before it. */
function firstMessage(dialog: Dialog): number {
  const first = sectionAt(dialog, 0);
  return first !== undefined && fromOf(first)?.kind === "context" ? 1 : 0;
}

function readHeader(dialog: Dialog, begin: number, clock: Clock, add: Add): void {
  const { head, format } = dialog;
  const by = lineOf(head, "Launched by");
  const answers = repliesTo(head)?.dialogId ?? null;
  const first = sectionAt(dialog, begin);
  const prompt = first?.role === "user" ? (first.parts.find(({ kind }) => kind === "text") ?? null) : null;
  const outside = outsideOf(dialog);
  if (outside !== null) {
    const data = { title: outside.name ?? outside.framework, provider: null, model: null, by, answers: null };
    return add({ type: "activation", data }, clock.at(lineOf(head, "Started")));
  }
  // Nothing was said yet, so the title would still change.
  if (first !== undefined) {
    const title = prompt?.kind === "text" ? firstLine(prompt.text) : "";
    const data = { title, provider: lineOf(head, "Provider"), model: lineOf(head, "Model"), by, answers };
    add({ type: "activation", data }, clock.at(lineOf(head, "Started")), { actor: by === null ? "human" : { agent: by } });
  }
  const defined = agentOf(dialog);
  if (defined !== null && defined.hash !== "")
    add({ type: "definition", data: { agent: defined.slug, hash: defined.hash } }, clock.now(), { actor: "human" });
  for (const problem of problemsOf(head)) warn(add, "front_matter", problem, clock.now());
  const [continued, forked] = [lineOf(head, "Continued from"), lineOf(head, "Forked from")];
  if (continued !== null) add({ type: "window", data: { from: continued } }, clock.now(), { actor: "human" });
  if (forked !== null) add({ type: "forked", data: { from: forked } }, clock.now(), { actor: "human" });
  readAuthority(head, format, clock, add);
  for (const part of dialog.parts) if (part.kind === "meta") readAuthority(part.lines, format, clock, add);
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  // A line can have megabytes. A character has at most two units.
  const title = Array.from(line.slice(0, 2 * titleLength))
    .slice(0, titleLength)
    .join("");
  return title.length < line.length ? `${title}…` : line;
}

const authorityKeys = new Set(["Authorized", "Revoked", "Network", "Network refused", "Limit"]);

/** The lines that only the user may write. In an earlier Vibey's file they have no effect. */
function readAuthority(lines: readonly Meta[], format: Dialog["format"], clock: Clock, add: Add): void {
  if (!isOwnFormat(format)) return;
  for (const { key, value } of lines)
    if (authorityKeys.has(key)) add({ type: "authority", data: { word: key, value } }, clock.now(), { actor: "human" });
}

/** The authority lines, and the user's pauses of a run. */
function readWords(lines: readonly Meta[], format: Dialog["format"], clock: Clock, add: Add): void {
  readAuthority(lines, format, clock, add);
  if (!isOwnFormat(format)) return;
  for (const line of lines) {
    const pause = readPause(line);
    if (pause) add({ type: pause.paused ? "pause" : "resume", data: { scope: pause.scope } }, clock.at(pause.time), { actor: "human" });
  }
}

function warn(add: Add, code: string | null, message: string, moment: Moment): void {
  add({ type: "warning", data: { message, code } }, moment, { actor: "vibey", severity: "warning" });
}

/** A section being read, and where its events go. */
interface Reading {
  readonly dialog: Dialog;
  readonly dialogId: string;
  readonly agentId: string | null;
  readonly generation: number;
  readonly index: number;
  readonly section: Section;
  /** What applies where the section begins. */
  readonly before: Standing;
  readonly except: readonly Part[];
  readonly clock: Clock;
  readonly events: DialogEvent[];
}

function readSection(reading: Reading): void {
  const { dialog, index, section, before, except, clock } = reading;
  const { start, end, open } = sectionTime(section);
  const began = clock.at(start);
  const isAgents = section.role === "assistant";
  const addHead = adderAt(reading, null);
  const words = isRecord(dialog) ? callWords(section) : null;
  if (isAgents && words === null) addHead({ type: "request", data: asked(reading) }, began);
  readWords(section.head, dialog.format, clock, addHead);
  const hash = definitionIn(section);
  const defined = hash === null ? null : agentOf(dialog);
  if (hash !== null && defined !== null) addHead({ type: "definition", data: { agent: defined.slug, hash } }, began, { actor: "human" });
  const isOver = !open || index + 1 < sectionCount(dialog);
  const allowed = allowedIn(section);
  /** What applies above the part. */
  let now = after(before, section.head, dialog.format);
  for (const [at, part] of section.parts.entries()) {
    const above = now;
    if (part.kind === "meta") now = after(now, part.lines, dialog.format);
    if (part.kind !== "text" && part === except[at]) continue;
    if (part.kind === "call") {
      const { id, name } = part.call;
      const said = words?.get(id);
      const isAllowed = () => (words === null ? allowsTool(above.authorized, name) || allowed().has(id) : said?.allowed === true);
      readCall(part.call, isAllowed, clock, adderAt(reading, at, id), { said, root: rootOf(reading) });
    } else if (part.kind === "meta" && words !== null) readReports(part.lines, clock, adderAt(reading, at));
    else if (part.kind === "meta") readLines(reading, part.lines, above.edits, adderAt(reading, at));
    else if (isOver || at + 1 < section.parts.length) readText(reading, part.text, adderAt(reading, at));
  }
  if (isAgents && words === null && isOver && endedByItself(section))
    addHead({ type: "complete", data: { tokens: totalOf(lastLine(section, "Usage cumulative")) } }, clock.at(end));
  if (isAgents && words === null && isOver && isStrike(dialog, index))
    warn(addHead, "progress", "no progress: no call ran in this response", clock.at(end));
}

/** The calls of the section that a line with a pattern allowed. Read on first use. */
function allowedIn(section: Section): () => ReadonlyMap<string, unknown> {
  let found: ReadonlyMap<string, unknown> | null = null;
  return () => (found ??= allowedCalls(section.parts.flatMap((part) => (part.kind === "meta" ? part.lines : []))));
}

function adderAt(reading: Reading, part: number | null, call?: string): Add {
  const { events, dialog, dialogId, generation, index, section, before } = reading;
  const anchor = { section: index, ...(part === null ? {} : { part }), ...(call === undefined ? {} : { call }) };
  const turn = isMessage(section) ? index : (before.message ?? firstMessage(dialog));
  return adder(events, {
    dialogId,
    agentId: reading.agentId,
    turn,
    generation,
    place: part === null ? `${index}` : `${index}.${part}`,
    anchor,
    own: ownerOf(dialog, dialogId),
  });
}

/** The dialog's id if it is the root of a run. A root's agent has no parent. */
const rootOf = ({ dialog: { head }, dialogId }: Reading): string | null => (runOf(head)?.run === dialogId ? dialogId : null);

/** The provider and model that the section's request went to, and the messages of other agents that began the turn. */
function asked(reading: Reading): Extract<EventData, { type: "request" }>["data"] {
  const { section, before } = reading;
  const own = (name: string) => section.head.findLast(({ key }) => key === name)?.value;
  const answers = answeredBy(reading);
  return {
    provider: own("Provider") ?? before.provider,
    model: own("Model") ?? before.model,
    ...(answers === null ? {} : { answers }),
  };
}

/** The messages of other agents directly above the section, which are answered together. `from`: the sender of the last one. */
function answeredBy({ dialog, index }: Reading): { readonly from: string; readonly text: string } | null {
  const texts: string[] = [];
  let from: string | null = null;
  for (let at = index - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    const sender = section?.role === "user" ? fromOf(section) : null;
    if (section === undefined || (sender?.kind !== "signal" && sender?.kind !== "agent")) break;
    from ??= sender.dialogId;
    texts.unshift(...section.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])));
  }
  return from === null ? null : { from, text: texts.join("\n\n") };
}

function readText({ dialog, index, section, clock }: Reading, text: string, add: Add): void {
  if (section.role === "assistant") return add({ type: "text", data: { text } }, clock.now());
  // A fork begins with the prompt of the agent that launched the original dialog.
  const by = index === 0 ? (lineOf(dialog.head, "Launched by") ?? lineOf(dialog.head, "Prompt by")) : null;
  const from = fromOf(section);
  // In a record, someone wrote to the agent where it runs, or the user wrote here.
  if (isRecord(dialog)) {
    const actor = toAgentOf(section) === null ? {} : ({ actor: "human" } as const);
    return add({ type: "message", data: { text } }, clock.at(sectionTime(section).start), actor);
  }
  if (from?.kind === "signal") {
    const data = { child: from.dialogId, call: from.call, text };
    return add({ type: "signal", data }, clock.at(sectionTime(section).start), { actor: { agent: from.dialogId } });
  }
  const at = clock.at(sectionTime(section).start);
  const actor =
    from?.kind === "agent" ? { agent: from.dialogId } : from?.kind === "context" ? "vibey" : by === null ? "human" : { agent: by };
  add({ type: "message", data: { text } }, at, { actor });
  if (from?.kind !== "agent" || systemOf(section) !== null) return;
  const fork = resolvesOf(section);
  add(fork === null ? { type: "reply", data: { child: from.dialogId } } : { type: "resolved", data: { from: fork, summary: text } }, at, {
    actor,
  });
}

/** What an agent outside Vibey reports besides its texts and calls. */
function readReports(lines: readonly Meta[], clock: Clock, add: Add): void {
  for (const { key, value } of lines) {
    const { time, words } = readReport(value);
    const at = () => clock.at(time);
    if (key === reportKeys.idle) add({ type: "waiting", data: { for: "input", prompt: words } }, at());
    else if (key === reportKeys.ended) add({ type: "complete", data: { tokens: null } }, at());
    else if (key === reportKeys.spawned) {
      const [call = "", child = ""] = words.split(" ");
      add({ type: "spawn", data: { call, child } }, at());
    } else if (key === reportKeys.notice) {
      const [level, message] = [words.slice(0, words.indexOf(" ")), words.slice(words.indexOf(" ") + 1)];
      if (level === "error") add({ type: "error", data: { message } }, at(), { severity: "error" });
      else add({ type: "warning", data: { message, code: null } }, at(), { severity: "warning" });
    }
  }
}

/** `edits`: the number of edits above these lines. */
function readLines({ dialog, section, clock }: Reading, lines: readonly Meta[], edits: number, add: Add): void {
  readWords(lines, dialog.format, clock, add);
  const end = readTime(sectionTime(section).end);
  // These lines are written when the response ends, which can be before its calls run.
  const ended = end === null ? clock.now() : { time: end, exact: true };
  let generation = edits;
  for (const { key, value } of lines) {
    if (key === "Edited") {
      generation += 1;
      add({ type: "dialog_replaced", data: { generation } }, clock.at(value), { actor: "human", severity: "warning" });
    } else if (key === "Stop") readStop(value, ended, add);
    else if (section.role !== "assistant") continue;
    else if (key === "Waiting") add({ type: "waiting", data: { for: "input", prompt: value } }, ended);
    else if (key === "Usage") add({ type: "usage", data: { tokens: totalOf(value), cost: lineOf(lines, "Cost") } }, ended);
    else if (key === "Tokens estimated") {
      const tokens = /^\d{1,15}$/.test(value) ? Number(value) : null;
      add({ type: "usage", data: { tokens, cost: null, estimated: true } }, ended);
    }
  }
}

function lineOf(lines: readonly Meta[], key: string): string | null {
  return lines.findLast((line) => line.key === key)?.value ?? null;
}

/** The last line with that key anywhere below the section's head. */
function lastLine({ parts }: Section, key: string): string | null {
  return lineOf(
    parts.flatMap((part) => (part.kind === "meta" ? part.lines : [])),
    key,
  );
}

/** Whether the response has no calls and nothing stopped it. */
function endedByItself(section: Section): boolean {
  if (section.parts.some((part) => part.kind === "call" || incompleteOf(part) !== null)) return false;
  return lastLine(section, "Stop") === null && lastLine(section, "Waiting") === null;
}

/** Why a response ended early. */
function readStop(value: string, moment: Moment, add: Add): void {
  const data = { message: value };
  if (value === "aborted") add({ type: "abort", data }, moment, { actor: "human" });
  else if (value === "interrupted") add({ type: "abort", data }, moment, { actor: "vibey", severity: "warning" });
  else if (value.startsWith("error") || value === "refusal") add({ type: "error", data }, moment, { actor: "vibey", severity: "error" });
  else warn(add, value === "limit no progress" ? "progress" : value.startsWith("limit tokens ") ? "tokens" : null, value, moment);
}

/** The total of a `Usage` line. Null if it is invalid. */
function totalOf(value: string | null): number | null {
  const total = /^input=\d{1,16} output=\d{1,16} total=(\d{1,16})$/.exec(value ?? "")?.[1];
  return total === undefined || !Number.isSafeInteger(Number(total)) ? null : Number(total);
}
