import { authorizedAt, linesThatAllowed } from "../authority.ts";
import { sectionTime } from "../edit.ts";
import { incompleteOf } from "../incomplete-call.ts";
import type { Dialog, Meta, Part, Section } from "../model.ts";
import { sectionAt, sectionCount, standing, standingBefore } from "../sections.ts";
import { type Add, adder } from "./add.ts";
import { Clock, type Moment, readTime, startOf, timeBefore } from "./clock.ts";
import type { DialogEvent } from "./model.ts";
import { readCall } from "./read-call.ts";

/**
 * Everything that the text of a dialog says happened, in the order of the text. A block is filled in place, so the order in which things
 * happened can differ: the project's log knows it.
 *
 * - The same dialog always gives the same events. Text that only looks like structure gives none.
 * - A dialog that grows keeps its events. What is still being written is no event yet: a text that may get longer, a call that isn't complete.
 * - `from`: only events of this section and those after it; 0 includes the header.
 */
export function eventsOf(dialog: Dialog, dialogId: string, from = 0): DialogEvent[] {
  const events = from === 0 ? eventsOfHeader(dialog, dialogId) : [];
  const count = sectionCount(dialog);
  for (let index = from; index < count; index++) for (const event of eventsOfSection(dialog, dialogId, index)) events.push(event);
  return events;
}

/** The events that stand before all sections. */
export function eventsOfHeader(dialog: Dialog, dialogId: string): DialogEvent[] {
  const events: DialogEvent[] = [];
  readHeader(dialog, new Clock(timeBefore(dialog, 0)), adder(events, dialogId, generationOf(dialog), "h", null));
  return events;
}

/** The events of section `index` alone; none when there is no such section. */
export function eventsOfSection(dialog: Dialog, dialogId: string, index: number): DialogEvent[] {
  const section = sectionAt(dialog, index);
  const events: DialogEvent[] = [];
  const clock = new Clock(timeBefore(dialog, index));
  if (section) readSection({ dialog, dialogId, generation: generationOf(dialog), index, section, clock, events });
  return events;
}

/** How often the user edited the file. What the events of an edited dialog are called begins again with each edit. */
export function generationOf(dialog: Dialog): number {
  return standing(dialog).edits;
}

const titleLength = 120;

function readHeader(dialog: Dialog, clock: Clock, add: Add): void {
  const { head, format } = dialog;
  const by = lineOf(head, "Launched by");
  const first = sectionAt(dialog, 0);
  const prompt = first?.role === "user" ? (first.parts.find(({ kind }) => kind === "text") ?? null) : null;
  // Nothing was said yet: the title would change.
  if (first !== undefined) {
    const title = prompt?.kind === "text" ? firstLine(prompt.text) : "";
    const data = { title, provider: lineOf(head, "Provider"), model: lineOf(head, "Model"), by };
    add({ type: "activation", data }, clock.at(startOf(dialog)), { actor: by === null ? "human" : { agent: by } });
  }
  const [continued, forked] = [lineOf(head, "Continued from"), lineOf(head, "Forked from")];
  if (continued !== null) add({ type: "window", data: { from: continued } }, clock.now(), { actor: "human" });
  if (forked !== null) add({ type: "forked", data: { from: forked } }, clock.now(), { actor: "human" });
  readAuthority(head, format, clock, add);
  for (const part of dialog.parts) if (part.kind === "meta") readAuthority(part.lines, format, clock, add);
}

function firstLine(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > titleLength ? `${Array.from(line).slice(0, titleLength).join("")}…` : line;
}

const authorityKeys = new Set(["Authorized", "Revoked", "Network", "Network refused", "Limit"]);

/** The lines that the user alone may write. Those of an earlier Vibey's file count for nothing. */
function readAuthority(lines: readonly Meta[], format: Dialog["format"], clock: Clock, add: Add): void {
  if (format !== 1) return;
  for (const { key, value } of lines)
    if (authorityKeys.has(key)) add({ type: "authority", data: { word: key, value } }, clock.now(), { actor: "human" });
}

/** A section that is read, and where its events go. */
interface Reading {
  readonly dialog: Dialog;
  readonly dialogId: string;
  readonly generation: number;
  readonly index: number;
  readonly section: Section;
  readonly clock: Clock;
  readonly events: DialogEvent[];
}

function readSection(reading: Reading): void {
  const { dialog, index, section, clock } = reading;
  const { start, end, open } = sectionTime(section);
  const began = clock.at(start);
  const isAgents = section.role === "assistant";
  const addHead = adderAt(reading, null);
  if (isAgents) addHead({ type: "request", data: asked(reading) }, began);
  const isOver = !open || index + 1 < sectionCount(dialog);
  for (const [at, part] of section.parts.entries()) readPart(reading, at, part, isOver || at + 1 < section.parts.length);
  if (isAgents && isOver && endedByItself(section))
    addHead({ type: "complete", data: { tokens: totalOf(lastLine(section, "Usage cumulative")) } }, clock.at(end));
}

function adderAt({ events, dialogId, generation, index }: Reading, part: number | null, call?: string): Add {
  const anchor = { section: index, ...(part === null ? {} : { part }), ...(call === undefined ? {} : { call }) };
  return adder(events, dialogId, generation, part === null ? `${index}` : `${index}.${part}`, anchor);
}

/** Whom the section's request went to. */
function asked({ dialog, index, section }: Reading): { provider: string | null; model: string | null } {
  const before = standingBefore(dialog, index);
  const own = (name: string) => section.head.findLast(({ key }) => key === name)?.value;
  return { provider: own("Provider") ?? before.provider, model: own("Model") ?? before.model };
}

function readPart(reading: Reading, at: number, part: Part, isWhole: boolean): void {
  const { dialog, index, section, clock } = reading;
  if (part.kind === "call") {
    const { id, name } = part.call;
    const isAllowed = () => authorizedAt(dialog, index, at).has(name) || linesThatAllowed(dialog, id).length > 0;
    return readCall(part.call, isAllowed, clock, adderAt(reading, at, id));
  }
  const add = adderAt(reading, at);
  if (part.kind === "meta") return readLines(reading, part.lines, add);
  if (!isWhole) return;
  if (section.role === "assistant") return add({ type: "text", data: { text: part.text } }, clock.now());
  const by = index === 0 ? lineOf(dialog.head, "Launched by") : null;
  add({ type: "message", data: { text: part.text } }, clock.at(sectionTime(section).start), {
    actor: by === null ? "human" : { agent: by },
  });
}

function readLines({ dialog, section, clock, generation }: Reading, lines: readonly Meta[], add: Add): void {
  readAuthority(lines, dialog.format, clock, add);
  const end = readTime(sectionTime(section).end);
  // These lines are written when the response ends, which can be before its calls run.
  const ended = end === null ? clock.now() : { time: end, exact: true };
  for (const { key, value } of lines) {
    if (key === "Edited") add({ type: "dialog_replaced", data: { generation } }, clock.at(value), { actor: "human", severity: "warning" });
    else if (section.role !== "assistant") continue;
    else if (key === "Waiting") add({ type: "waiting", data: { for: "input", prompt: value } }, ended);
    else if (key === "Stop") readStop(value, ended, add);
    else if (key === "Usage") add({ type: "usage", data: { tokens: totalOf(value), cost: lineOf(lines, "Cost") } }, ended);
  }
}

function lineOf(lines: readonly Meta[], key: string): string | null {
  return lines.findLast((line) => line.key === key)?.value ?? null;
}

/** The last line of that key anywhere below the section's head. */
function lastLine({ parts }: Section, key: string): string | null {
  return lineOf(
    parts.flatMap((part) => (part.kind === "meta" ? part.lines : [])),
    key,
  );
}

/** Nothing was asked for, and nothing and no one stopped it. */
function endedByItself(section: Section): boolean {
  if (section.parts.some((part) => part.kind === "call" || incompleteOf(part) !== null)) return false;
  return lastLine(section, "Stop") === null && lastLine(section, "Waiting") === null;
}

/** Why a response ended before its end. */
function readStop(value: string, moment: Moment, add: Add): void {
  const data = { message: value };
  if (value === "aborted") add({ type: "abort", data }, moment, { actor: "human" });
  else if (value === "interrupted") add({ type: "abort", data }, moment, { actor: "vibey", severity: "warning" });
  else if (value.startsWith("error") || value === "refusal") add({ type: "error", data }, moment, { actor: "vibey", severity: "error" });
  else add({ type: "warning", data }, moment, { actor: "vibey", severity: "warning" });
}

/** The total of a `Usage` line; null when it can't be read. */
function totalOf(value: string | null): number | null {
  const total = /^input=\d{1,16} output=\d{1,16} total=(\d{1,16})$/.exec(value ?? "")?.[1];
  return total === undefined || !Number.isSafeInteger(Number(total)) ? null : Number(total);
}
