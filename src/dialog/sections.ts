import { isOwnFormat } from "./agent.ts";
import { lastTimeIn, readTime } from "./time.ts";
import { type HostWord, isHost, isToolName, readCommandLimit, readHostLine } from "./ids.ts";
import { type LinePlace, type PatternWord, takesBack, withPatternWord } from "./grants.ts";
import type { Call, Dialog, Meta, Part, Section } from "./model.ts";
import { isPattern } from "./pattern.ts";
import { fromOf } from "./replies.ts";
import { noRunWords, type RunCommands, withRunWord } from "./run.ts";
import { noToolWords, type ToolWords, withToolWord } from "./tool-words.ts";

/*
 * The sections of a dialog, for code that works at its end. A dialog is a value, and its end changes with every token. Dialogs that follow from one
 * another share everything before the last section, so these functions cost no more in a longer dialog.
 */

/** What applies from some point of a dialog on. */
export interface Standing {
  /** The values of the last lines with these keys, including the header's. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly costCumulative: string | null;
  /** The tools that run without asking. The last `Authorized` or `Revoked` line that names a tool decides. */
  readonly authorized: ToolWords;
  /** The last line about a pattern, or one that revokes the tool of a pattern. See `grantsOf`. */
  readonly patterns: PatternWord | null;
  /** The last `Network` or `Network refused` line. See `networkOf`. */
  readonly network: NetworkWord | null;
  /** The value of the last `Limit: command` line, in seconds. */
  readonly commandSeconds: number | null;
  /** A `Limit: cost unknown` line: models whose price is unknown may be used even if there is a spending limit. */
  readonly costUnknown: boolean;
  /** How often the user edited the file: the number of `Edited` lines. */
  readonly edits: number;
  /** The last time in the header or a section's head. Null if there is none. */
  readonly time: string | null;
  /** The section of the last message for an agent to answer. Null if there was none. */
  readonly message: number | null;
  readonly imported: ImportedWords;
  /** The user's commands for a run. See `run.ts`. */
  readonly run: RunCommands;
}

/**
 * What the lines of an import would allow if the user accepted them, without those that a line of this project's user has replaced since. They have
 * no effect.
 */
export interface ImportedWords {
  /** Names of tools, and values of lines with patterns. */
  readonly tools: ReadonlySet<string>;
  readonly hosts: ReadonlyMap<string, HostWord>;
  readonly commandSeconds: number | null;
}

/** The most tools and hosts of an import that are offered. A file can name any number. */
const MOST_IMPORTED = 100;

/** The user's decision about a host, linked to the earlier ones. A linked list makes adding a line cheap at any length. */
export interface NetworkWord {
  readonly host: string;
  readonly word: HostWord;
  /** The line names only the host, as Vibey up to 0.8.0 wrote it. Those versions still read such a line as permission for everything. */
  readonly bare: boolean;
  readonly before: NetworkWord | null;
}

/** The position of a call. */
export interface CallPlace {
  readonly section: number;
  readonly part: number;
  readonly call: Call;
}

/** Sections that are read on demand. `at` returns the same object each time for the same index. */
export interface UnreadSections {
  readonly count: number;
  at(index: number): Section;
}

/** The dialog with this start and these sections. */
export function dialogOf(start: Pick<Dialog, "format" | "head" | "parts">, unread: UnreadSections): Dialog {
  const count = Math.max(0, unread.count - 1);
  const sections: Section[] = [];
  sections.length = count;
  return make(start, {
    shared: sharedOf(sections, unread),
    count,
    isEmpty: unread.count === 0,
    get last() {
      return unread.count === 0 ? null : unread.at(count);
    },
  });
}

export function sectionCount(dialog: Dialog): number {
  const place = viewOf(dialog);
  return place.isEmpty ? 0 : place.count + 1;
}

export function sectionAt(dialog: Dialog, index: number): Section | undefined {
  const place = viewOf(dialog);
  if (index < place.count) return sharedAt(place.shared, index);
  return index === place.count ? (place.last ?? undefined) : undefined;
}

export function lastSection(dialog: Dialog): Section | undefined {
  return viewOf(dialog).last ?? undefined;
}

/** The same dialog in a format that earlier versions of Vibey only show. They would ignore its agent, or take an agent's words for the user's. */
export function asFormat2(dialog: Dialog): Dialog {
  return asFormat(dialog, 2);
}

/** The same dialog with another format in its header. */
export function asFormat(dialog: Dialog, format: number): Dialog {
  return dialog.format === format ? dialog : make({ ...startOf(dialog), format }, viewOf(dialog));
}

/** The dialog with one more section. */
export function withSection(dialog: Dialog, section: Section): Dialog {
  const { shared, count, last } = viewOf(dialog);
  if (last === null) return make(dialog, viewWith(shared, 0, section));
  // Another dialog may have continued from here already. Don't share the sections that it added.
  const own = shared.sections.length === count ? shared : sharedOf(shared.sections.slice(0, count), shared.unread);
  own.sections.push(last);
  return make(dialog, viewWith(own, count + 1, section));
}

/** The dialog with section `index` replaced. Cheap only for the last section. */
export function replaceSection(dialog: Dialog, index: number, section: Section): Dialog {
  const { shared, count, last } = viewOf(dialog);
  if (last === null || index < 0 || index > count) throw new RangeError(`No section ${index} in a dialog of ${sectionCount(dialog)}`);
  if (index === count) return make(dialog, viewWith(shared, count, section));
  return make(dialog, viewWith(sharedOf(shared.sections.slice(0, count).with(index, section), shared.unread), count, last));
}

/** The dialog without its last section. */
export function withoutLast(dialog: Dialog): Dialog {
  const { shared, count } = viewOf(dialog);
  return make(dialog, viewWith(shared, Math.max(0, count - 1), count === 0 ? null : (sharedAt(shared, count - 1) ?? null)));
}

/** The first section that may differ between two dialogs. The length of both if none does. */
export function firstDifference(one: Dialog, other: Dialog): number {
  const [a, b] = [viewOf(one), viewOf(other)];
  const shared = Math.min(a.count, b.count);
  let at = 0;
  if (a.shared === b.shared) at = shared;
  else while (at < shared && isSameAt(a.shared, b.shared, at)) at++;
  return at === shared && a.count === b.count && !a.isEmpty && a.last === b.last ? at + 1 : at;
}

export function findCall(dialog: Dialog, id: string): CallPlace | null {
  const { shared, count, last } = viewOf(dialog);
  const inLast = last === null ? null : callIn(last, count, id);
  if (inLast !== null) return inLast;
  indexCalls(shared, count);
  const at = shared.calls.get(id);
  const section = at === undefined || at >= count ? undefined : sharedAt(shared, at);
  return section === undefined || at === undefined ? null : callIn(section, at, id);
}

export function callCount(dialog: Dialog): number {
  const { shared, count, last } = viewOf(dialog);
  indexCalls(shared, count);
  return (shared.callsUntil[count] ?? 0) + (last === null ? 0 : countCalls(last));
}

/** What applies after the last section. */
export function standing(dialog: Dialog): Standing {
  const { count, last } = viewOf(dialog);
  const before = standingBefore(dialog, count);
  return last === null ? before : behindSection(before, last, count, dialog.format);
}

/** What applies where section `index` begins. */
export function standingBefore(dialog: Dialog, index: number): Standing {
  const { shared, count } = viewOf(dialog);
  if (index > count) return standing(dialog);
  const known = standingsOf(dialog, shared);
  for (let at = known.length - 1; at < index; at++) {
    const before = known[at];
    const section = sharedAt(shared, at);
    if (before === undefined || section === undefined) throw new RangeError(`No section ${at} in a dialog of ${count + 1}`);
    known.push(behindSection(before, section, at, dialog.format));
  }
  return known[index] ?? nothing;
}

function behindSection(before: Standing, section: Section, index: number, format: Dialog["format"]): Standing {
  const now = behind(before, section.head, section.parts, format);
  return isMessage(section) ? { ...now, message: index } : now;
}

/** Whether the section is a message by an agent or the user. What was said in another dialog is not a message: it is only shown to the agent. */
export const isMessage = (section: Section): boolean => section.role === "user" && fromOf(section)?.kind !== "context";

/** What applies after a head and some parts, if `before` applies above them. */
export function behind(before: Standing, head: readonly Meta[], parts: readonly Part[], format: Dialog["format"]): Standing {
  let now = withTime(after(before, head, format), head.find(({ key }) => key === "Time")?.value);
  for (const part of parts) if (part.kind === "meta") now = after(now, part.lines, format);
  return now;
}

function withTime(before: Standing, value: string | undefined): Standing {
  const time = value === undefined ? null : lastTimeIn(value);
  return time === null || time === before.time ? before : { ...before, time };
}

/** What applies after some lines. Returns the same object if the lines change nothing. */
export function after(before: Standing, lines: readonly Meta[], format: Dialog["format"], place: LinePlace = "this dialog"): Standing {
  let now = before;
  for (const { key, value } of lines) {
    if (key === "Provider") now = { ...now, provider: value };
    else if (key === "Model") now = { ...now, model: value };
    else if (key === "Cost cumulative") now = { ...now, costCumulative: value };
    else if (key === "Edited") now = { ...now, edits: now.edits + 1 };
    else if (isOwnFormat(format)) now = withWord(now, key, value, place);
  }
  return now;
}

/** Applies a line that only the user may write. An invalid value changes nothing. */
function withWord(before: Standing, key: string, value: string, place: LinePlace): Standing {
  const now = withImported(before, key, value);
  switch (key) {
    case "Paused":
    case "Resumed":
      return { ...now, run: withRunWord(now.run, { key, value }) };
    case "Authorized":
    case "Revoked": {
      const patterns = withPatternWord(now.patterns, value, key === "Authorized", place);
      const said = patterns === now.patterns ? now : { ...now, patterns };
      return isToolName(value) ? { ...said, authorized: withToolWord(said.authorized, value, key === "Authorized") } : said;
    }
    case "Network":
    case "Network refused": {
      const said = hostLine(key === "Network", value);
      return said === null ? now : { ...now, network: { ...said, before: now.network } };
    }
    case "Limit": {
      if (value === "cost unknown") return { ...now, costUnknown: true };
      const commandSeconds = readCommandLimit(value);
      if (commandSeconds !== null) return { ...now, commandSeconds };
      const run = withRunWord(now.run, { key, value });
      return run === now.run ? now : { ...now, run };
    }
    default:
      return now;
  }
}

/** The user's own line about a thing replaces what came with an import. */
function withImported(now: Standing, key: string, value: string): Standing {
  const { tools, hosts, commandSeconds } = now.imported;
  switch (key) {
    case "Authorized imported":
      if (!(isToolName(value) || isPattern(value)) || tools.has(value) || tools.size >= MOST_IMPORTED) return now;
      return { ...now, imported: { ...now.imported, tools: new Set(tools).add(value) } };
    case "Authorized": {
      if (!tools.has(value)) return now;
      return { ...now, imported: { ...now.imported, tools: new Set([...tools].filter((tool) => tool !== value)) } };
    }
    case "Revoked":
    case "Revoked imported": {
      const left = [...tools].filter((tool) => !takesBack(value, tool));
      return left.length === tools.size ? now : { ...now, imported: { ...now.imported, tools: new Set(left) } };
    }
    case "Network imported":
    case "Refused imported": {
      const said = hostLine(key === "Network imported", value);
      if (said === null || (!hosts.has(said.host) && hosts.size >= MOST_IMPORTED)) return now;
      return { ...now, imported: { ...now.imported, hosts: new Map(hosts).set(said.host, said.word) } };
    }
    case "Network":
    case "Network refused": {
      const said = hostLine(key === "Network", value);
      if (said === null || !hosts.has(said.host)) return now;
      return { ...now, imported: { ...now.imported, hosts: new Map([...hosts].filter(([host]) => host !== said.host)) } };
    }
    case "Limit":
    case "Limit imported": {
      const seconds = readCommandLimit(value);
      const imported = key === "Limit" ? null : seconds;
      if (seconds === null || imported === commandSeconds) return now;
      return { ...now, imported: { ...now.imported, commandSeconds: imported } };
    }
    default:
      return now;
  }
}

function hostLine(isGrant: boolean, value: string): Pick<NetworkWord, "host" | "word" | "bare"> | null {
  if (isGrant) return readHostLine(value);
  return isHost(value) ? { host: value, word: "refused", bare: false } : null;
}

const nothing: Standing = {
  provider: null,
  model: null,
  authorized: noToolWords,
  patterns: null,
  network: null,
  commandSeconds: null,
  costCumulative: null,
  costUnknown: false,
  edits: 0,
  time: null,
  message: null,
  imported: { tools: new Set(), hosts: new Map(), commandSeconds: null },
  run: noRunWords,
};

/** Sections that no longer change. More are added at the end. What is known about them is computed on first use. */
interface SharedSections {
  /** Sections that were not read yet are holes in this array. */
  readonly sections: Section[];
  /** Reads the missing sections. Null if none is missing. */
  unread: UnreadSections | null;
  /** The number of calls before section n. */
  readonly callsUntil: number[];
  /** The section of each call, up to the last entry of `callsUntil`. */
  readonly calls: Map<string, number>;
  /** What applies where section n begins, for this head and these parts before all sections. */
  standings: { readonly head: Dialog["head"]; readonly parts: Dialog["parts"]; readonly known: Standing[] } | null;
}

/** The first `count` sections of `shared`, then `last`. Empty if `last` is null. */
interface SectionsView {
  readonly shared: SharedSections;
  readonly count: number;
  readonly isEmpty: boolean;
  readonly last: Section | null;
}

const places = new WeakMap<Dialog, SectionsView>();

function viewOf(dialog: Dialog): SectionsView {
  const known = places.get(dialog);
  if (known !== undefined) return known;
  const { sections } = dialog;
  const place = viewWith(sharedOf(sections.slice(0, -1), null), Math.max(0, sections.length - 1), sections.at(-1) ?? null);
  places.set(dialog, place);
  return place;
}

function viewWith(shared: SharedSections, count: number, last: Section | null): SectionsView {
  return { shared, count, isEmpty: last === null, last };
}

function sharedOf(sections: Section[], unread: UnreadSections | null): SharedSections {
  return { sections, unread, callsUntil: [0], calls: new Map(), standings: null };
}

function sharedAt(past: SharedSections, index: number): Section | undefined {
  if (index < 0 || index >= past.sections.length) return undefined;
  const known = past.sections[index];
  if (known !== undefined || past.unread === null) return known;
  return (past.sections[index] = past.unread.at(index));
}

/** Two sections that were not read yet are equal if they come from the same file. */
function isSameAt(one: SharedSections, other: SharedSections, index: number): boolean {
  if (one.unread === other.unread && one.sections[index] === undefined && other.sections[index] === undefined) return true;
  return sharedAt(one, index) === sharedAt(other, index);
}

const startOf = ({ format, head, parts }: Dialog): Pick<Dialog, "format" | "head" | "parts"> => ({ format, head, parts });

function make({ format, head, parts }: Pick<Dialog, "format" | "head" | "parts">, place: SectionsView): Dialog {
  let sections: readonly Section[] | undefined;
  const dialog: Dialog = {
    format,
    head,
    parts,
    get sections() {
      sections ??= sectionsOf(place);
      return sections;
    },
  };
  places.set(dialog, place);
  return dialog;
}

function sectionsOf({ shared, count, last }: SectionsView): Section[] {
  if (shared.unread !== null) {
    for (let at = 0; at < count; at++) sharedAt(shared, at);
    if (count === shared.sections.length) shared.unread = null;
  }
  const sections = shared.sections.slice(0, count);
  if (last !== null) sections.push(last);
  return sections;
}

function standingsOf({ format, head, parts }: Dialog, past: SharedSections): Standing[] {
  if (past.standings?.head !== head || past.standings.parts !== parts) {
    const [provider, model] = ["Provider", "Model"].map((name) => head.findLast(({ key }) => key === name)?.value ?? null);
    const words = behind(after(nothing, head, format, "main"), [], parts, format);
    const time = readTime(head.find(({ key }) => key === "Started")?.value ?? null);
    past.standings = { head, parts, known: [{ ...words, provider: provider ?? null, model: model ?? null, time }] };
  }
  return past.standings.known;
}

function indexCalls(past: SharedSections, count: number): void {
  for (let at = past.callsUntil.length - 1; at < count; at++) {
    const section = sharedAt(past, at);
    if (section === undefined) return;
    for (const part of section.parts) if (part.kind === "call" && !past.calls.has(part.call.id)) past.calls.set(part.call.id, at);
    past.callsUntil.push((past.callsUntil[at] ?? 0) + countCalls(section));
  }
}

function countCalls({ parts }: Section): number {
  return parts.reduce((sum, { kind }) => (kind === "call" ? sum + 1 : sum), 0);
}

function callIn({ parts }: Section, section: number, id: string): CallPlace | null {
  for (const [part, each] of parts.entries()) if (each.kind === "call" && each.call.id === id) return { section, part, call: each.call };
  return null;
}
