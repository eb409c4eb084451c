import { metaValue, only } from "./meta.ts";
import type { Dialog, Meta, Section } from "./model.ts";

/*
 * Records: dialogs of agents that run elsewhere and report what they do. A record has its own format, so it is shown and never continued. Its header
 * describes the agent. Lines above a call describe the call: `> Category: t1 read`, `> Context: t1 config.json`.
 */

/** The format of records. */
export const RECORD_FORMAT = 1001;

export const toolCategories = ["read", "write", "edit", "execute", "search", "network", "delegate", "plan", "interact", "other"] as const;
export type ToolCategory = (typeof toolCategories)[number];

/** An agent outside Vibey, as its record names it. */
export interface OutsideAgent {
  readonly framework: string;
  /** The agent's own name for itself or its session. */
  readonly session: string;
  readonly name: string | null;
  readonly cwd: string | null;
  /** The id of the agent key that the record is bound to. */
  readonly key: string;
}

const OUTSIDE = "Outside";
const SESSION = "Session";
const CWD = "Cwd";
const NAME = "Name";
const KEY = "Key";
const AUTHORIZED_OUTSIDE = "Authorized outside";

export const isRecord = ({ format }: Pick<Dialog, "format">): boolean => format === RECORD_FORMAT;

/** Marks the record of provider requests by outside programs that belong to no dialog: voice and translation. That record has no agent. */
export const assistLine: Meta = { key: "Record", value: "voice and translation" };
/** The slug of such a record. */
export const ASSIST_SLUG = "voice-and-translation";
export const isAssistRecord = ({ format, head }: Pick<Dialog, "format" | "head">): boolean =>
  format === RECORD_FORMAT && only(head, assistLine.key) === assistLine.value;

/** The lines of a record's header. Values are cut to the length of a metadata value, so compare with `sessionValue`. */
export function outsideLines({ framework, session, name, cwd, key }: OutsideAgent, authorized: readonly string[]): Meta[] {
  const optional = (line: string, value: string | null): Meta[] =>
    value === null || metaValue(value) === "" ? [] : [{ key: line, value: metaValue(value) }];
  return [
    { key: OUTSIDE, value: metaValue(framework) },
    { key: SESSION, value: metaValue(session) },
    ...optional(CWD, cwd),
    ...optional(NAME, name),
    { key: KEY, value: metaValue(key) },
    ...authorized.map((value) => ({ key: AUTHORIZED_OUTSIDE, value })),
  ];
}

/** The agent of this record. Null if this is not an agent's record, or if its first lines are missing or duplicated. */
export function outsideOf({ format, head }: Pick<Dialog, "format" | "head">): OutsideAgent | null {
  if (format !== RECORD_FORMAT) return null;
  const [framework, session] = [only(head, OUTSIDE), only(head, SESSION)];
  if (framework === null || session === null) return null;
  return { framework, session, name: only(head, NAME), cwd: only(head, CWD), key: only(head, KEY) ?? "" };
}

/** The tools that the record's header lets the outside agent use without asking. */
export function authorizedOutside({ format, head }: Pick<Dialog, "format" | "head">): ReadonlySet<string> {
  if (format !== RECORD_FORMAT) return new Set();
  return new Set(head.flatMap(({ key, value }) => (key === AUTHORIZED_OUTSIDE && TOOL.test(value) ? [value] : [])));
}

const TOOL = /^[A-Za-z0-9_-]{1,64}$/;
const DOC_LINE = /^> Authorized outside: ([A-Za-z0-9_-]{1,64})$/;

/** The tools named in `> Authorized outside:` lines of doc-main.md. The lines must match exactly. */
export function docAuthorizedOutside(text: string): string[] {
  const named = text.split("\n").flatMap((line) => DOC_LINE.exec(line)?.[1] ?? []);
  return [...new Set(named)];
}

const CATEGORY = "Category";
const CONTEXT = "Context";
/** Records which line of doc-main.md let the agent use a tool without asking: `> Allowed outside: t1 by main: Read`. Grants nothing. */
const ALLOWED_OUTSIDE = "Allowed outside";

/** Keys of the lines above a call that describe the call. */
export const callLineKeys: ReadonlySet<string> = new Set([CATEGORY, CONTEXT, ALLOWED_OUTSIDE]);

/** The lines above a call. */
export function callLines(call: string, category: ToolCategory, context: string | null, allowed: string | null = null): Meta[] {
  return [
    { key: CATEGORY, value: `${call} ${category}` },
    ...(context === null || metaValue(context) === "" ? [] : [{ key: CONTEXT, value: `${call} ${context}` }]),
    ...(allowed === null ? [] : [{ key: ALLOWED_OUTSIDE, value: `${call} by main: ${allowed}` }]),
  ];
}

export interface CallWords {
  readonly category?: ToolCategory;
  readonly context?: string;
  /** A line of doc-main.md allowed the call. */
  readonly allowed?: true;
}

/** The descriptions of a section's calls in a record, by call id. The first line of each kind counts. */
export function callWords({ parts }: Pick<Section, "parts">): ReadonlyMap<string, CallWords> {
  const found = new Map<string, CallWords>();
  for (const part of parts) {
    if (part.kind !== "meta") continue;
    for (const { key, value } of part.lines) {
      if (!callLineKeys.has(key)) continue;
      const space = value.indexOf(" ");
      const [call, said] = [value.slice(0, space), value.slice(space + 1)];
      const before = found.get(call) ?? {};
      const category = key === CATEGORY ? toolCategories.find((one) => one === said) : undefined;
      if (category !== undefined && before.category === undefined) found.set(call, { ...before, category });
      if (key === CONTEXT && before.context === undefined) found.set(call, { ...before, context: said });
      if (key === ALLOWED_OUTSIDE) found.set(call, { ...before, allowed: true });
    }
  }
  return found;
}

const EVENT = "Event";
const EVENT_OF = "Event of";
const EVENT_ENDS = "Event ends";
const EVENT_DATA = "Event data";
const TO_AGENT = "To agent";

/**
 * The sender's id of an event, as lines below the event's content. A later event with the same id is dropped, even after a reload. `of`: the agent of
 * the event, if it is not the record's own. `ends`: the call whose end the event reported. Its result is in the call's block.
 */
export const eventLines = (id: string, of: string | null, ends: string | null = null): Meta[] => [
  { key: EVENT, value: metaValue(id) },
  ...(of === null ? [] : [{ key: EVENT_OF, value: metaValue(of) }]),
  ...(ends === null ? [] : [{ key: EVENT_ENDS, value: ends }]),
];

/** Extra data that a sender gave with an event, as JSON below the event's content. Null if it doesn't fit in a line. */
export function eventDataLine(json: string): Meta | null {
  return metaValue(json) === json ? { key: EVENT_DATA, value: json } : null;
}

/** Keys of the lines below an event's content. */
export const eventKeys = { id: EVENT, ends: EVENT_ENDS, data: EVENT_DATA } as const;

/** The events recorded in a section. `of`: the event's agent. Null: the record's own. */
export function eventsIn({ parts }: Pick<Section, "parts">): { readonly id: string; readonly of: string | null }[] {
  const lines = parts.flatMap((part) => (part.kind === "meta" ? part.lines : []));
  return lines.flatMap(({ key, value }, at) => {
    const next = lines[at + 1];
    return key === EVENT ? [{ id: value, of: next?.key === EVENT_OF ? next.value : null }] : [];
  });
}

/**
 * Marks a section as a message that the user wrote to the agent in Vibey: `> To agent: 5f0c9a12`. Other messages were written where the agent runs.
 */
export const toAgentLine = (id: string): Meta => ({ key: TO_AGENT, value: id });

/** The id of a message that the user wrote in Vibey. Null if it was written where the agent runs, or is not a message. */
export const toAgentOf = ({ role, head }: Pick<Section, "role" | "head">): string | null => (role === "user" ? only(head, TO_AGENT) : null);

/** Keys of a record's lines that the screen doesn't show. */
export const unseenKeys: ReadonlySet<string> = new Set([
  ...callLineKeys,
  EVENT,
  EVENT_OF,
  EVENT_ENDS,
  EVENT_DATA,
  TO_AGENT,
  "Takes messages",
]);

/** What an agent reports besides its texts and calls: `> Idle: 2026-11-26T09:00:00.000Z waiting for you`. */
export const reportKeys = {
  begun: "Begun",
  idle: "Idle",
  ended: "Ended",
  notice: "Notice",
  spawned: "Subagent",
  spawnEnded: "Subagent ended",
  elsewhere: "Answered elsewhere",
  /** Why the user denied a call: `> Reason: <time> <id> <words>`. The agent was told. */
  reason: "Reason",
  /** The agent asked for the user's messages, or called a hook whose response can carry them. */
  takes: "Takes messages",
  /** A message of the user was delivered to the agent: `> Handed over: <time> <id>`. */
  handed: "Handed over",
  /** The user asked the agent to stop. The agent was told. The agent had already ended its turn. */
  stopAsked: "Stop asked",
  stopHanded: "Stop told",
  stopVoid: "Stop void",
} as const;

export type Report = keyof typeof reportKeys;

export const reportLine = (report: Report, time: string, words: string): Meta => ({
  key: reportKeys[report],
  value: `${time} ${words}`,
});

/** The time and the words of such a line. */
export function readReport(value: string): { readonly time: string; readonly words: string } {
  const space = value.indexOf(" ");
  return space < 0 ? { time: value, words: "" } : { time: value.slice(0, space), words: value.slice(space + 1) };
}
