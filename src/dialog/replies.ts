import type { Dialog, Meta, Section } from "./model.ts";
import { only } from "./meta.ts";
import { isDialogId } from "./name.ts";

/*
 * Agents that are mentioned in a message. The message names a dialog for each of them (`> Mentions: coder 20261125-090000-coder`). That dialog names
 * the message (`> Replies to: 20261125-085900-game | Message: 3`). The answer appears in the first dialog, as a section with the line
 * `> From: agent 20261125-090000-coder 3 | coder`. Only heads count, and duplicated or invalid lines are ignored.
 *
 * Answers that the user removes by hand don't come back: `> Removed: agent 20261125-090000-coder 3 | coder` next to `> Edited:` records the removal.
 *
 * Agents that answer each other do so in a side fork, which the message names (`> Side: 20261125-090000-game`). There, each message for an agent says
 * how many replies may still come, including the answer to this message, and who speaks after that: `> Turns: 10 | critic, coder`.
 */

/** An agent that a message mentions, and the dialog in which it answers. */
export interface Mention {
  readonly agent: string;
  readonly dialogId: string;
}

/** The message that a dialog answers. */
export interface RepliesTo {
  readonly dialogId: string;
  /** The first is 1. */
  readonly message: number;
}

/** The origin of a message that was not typed here. */
export type From =
  /** An agent's answer: section `section` of its dialog, from 0. */
  | { readonly kind: "agent"; readonly dialogId: string; readonly section: number; readonly agent: string }
  /** A message from an agent to the agent that started it, sent with call `call` of its dialog. */
  | { readonly kind: "signal"; readonly dialogId: string; readonly call: string; readonly agent: string }
  /** What was said in another dialog, for the agent that is to answer there. */
  | { readonly kind: "context"; readonly dialogId: string }
  /** The user's own words, copied from another dialog. */
  | { readonly kind: "human"; readonly dialogId: string };

const ROOM = "Room";
const MENTIONS = "Mentions";
const REPLIES_TO = "Replies to";
const ORDER = "Then";
const RESOLVES = "Resolves";
const TOPIC = "Topic";
const SIDE = "Side";
const TURNS = "Turns";
const FROM = "From";
const REMOVED = "Removed";
/** Replaces an answer: why there is none. Only for the user. */
const SYSTEM = "System";

const SLUG = "[a-z0-9_][a-z0-9_-]{0,39}";
const NAMES = new RegExp(`^${SLUG}(?:, ${SLUG}){0,9}$`);
const TURN = new RegExp(`^([1-9]\\d?) \\| (.+)$`);
const MENTION = new RegExp(`^(${SLUG}) (\\S+)$`);
const REPLY = /^(\S+) \| Message: ([1-9]\d{0,8})$/;
const FROM_AGENT = new RegExp(`^agent (\\S+) (\\d{1,9}) \\| (${SLUG})$`);
const FROM_SIGNAL = new RegExp(`^signal (\\S+) ([A-Za-z0-9_-]{1,128}) \\| (${SLUG})$`);
const FROM_OTHER = /^(context|human) (\S+)$/;

export const roomLine = (title: string): Meta => ({ key: ROOM, value: title });

/** The title of a room: a dialog without its own agent, in which mentioned agents answer. Null if it is not a room. */
export const roomOf = (head: readonly Meta[]): string | null => only(head, ROOM);

export const mentionLines = (mentions: readonly Mention[]): Meta[] =>
  mentions.map(({ agent, dialogId }) => ({ key: MENTIONS, value: `${agent} ${dialogId}` }));

/** The agents that a message mentions, each once. */
export function mentionsOf({ role, head }: Pick<Section, "role" | "head">): Mention[] {
  if (role !== "user") return [];
  const found = head.flatMap(({ key, value }): Mention[] => {
    const [, agent = "", dialogId = ""] = (key === MENTIONS && MENTION.exec(value)) || [];
    return isDialogId(dialogId) ? [{ agent, dialogId }] : [];
  });
  return found.filter((one, at) => found.findIndex(({ dialogId }) => dialogId === one.dialogId) === at);
}

/** The agents that answer after the mentioned ones, one after another. Each gets the answers before it. */
export const orderLines = (slugs: readonly string[]): Meta[] => (slugs.length === 0 ? [] : [{ key: ORDER, value: slugs.join(", ") }]);

export function orderOf({ role, head }: Pick<Section, "role" | "head">): string[] {
  const line = role === "user" ? only(head, ORDER) : null;
  return line !== null && NAMES.test(line) ? line.split(", ") : [];
}

/** In the message that asks for a summary of a fork: the original dialog. With the summary, in the original dialog: the fork. */
export const resolvesLine = (dialogId: string): Meta => ({ key: RESOLVES, value: dialogId });

export function resolvesOf({ role, head }: Pick<Section, "role" | "head">): string | null {
  const line = role === "user" ? only(head, RESOLVES) : null;
  return line !== null && isDialogId(line) ? line : null;
}

/** With the summary of a side fork: the topic of the fork. */
export const topicLine = (topic: string): Meta => ({ key: TOPIC, value: topic });
export const topicOf = ({ role, head }: Pick<Section, "role" | "head">): string | null => (role === "user" ? only(head, TOPIC) : null);

/** The side fork in which agents answer this message. */
export const sideLine = (dialogId: string): Meta => ({ key: SIDE, value: dialogId });

export function sideOf({ role, head }: Pick<Section, "role" | "head">): string | null {
  const line = role === "user" ? only(head, SIDE) : null;
  return line !== null && isDialogId(line) ? line : null;
}

/** How agents continue to answer each other. */
export interface TurnsLeft {
  /** Replies that may still come, including the one that is asked for. */
  readonly left: number;
  /** Slugs of the agents that speak next, in rotation. */
  readonly next: readonly string[];
}

export const turnsLine = ({ left, next }: TurnsLeft): Meta => ({ key: TURNS, value: `${left} | ${next.join(", ")}` });

export function turnsOf({ role, head }: Pick<Section, "role" | "head">): TurnsLeft | null {
  const [, left = "", next = ""] = (role === "user" && TURN.exec(only(head, TURNS) ?? "")) || [];
  return NAMES.test(next) ? { left: Number(left), next: next.split(", ") } : null;
}

export const repliesToLine = ({ dialogId, message }: RepliesTo): Meta => ({ key: REPLIES_TO, value: `${dialogId} | Message: ${message}` });

/** The message that the dialog with this header answers. Null if there is none. */
export function repliesTo(head: readonly Meta[]): RepliesTo | null {
  const [, dialogId = "", message = ""] = REPLY.exec(only(head, REPLIES_TO) ?? "") ?? [];
  return isDialogId(dialogId) ? { dialogId, message: Number(message) } : null;
}

export function fromLine(from: From): Meta {
  return { key: FROM, value: fromValue(from) };
}

function fromValue(from: From): string {
  if (from.kind === "agent") return `agent ${from.dialogId} ${from.section} | ${from.agent}`;
  return from.kind === "signal" ? `signal ${from.dialogId} ${from.call} | ${from.agent}` : `${from.kind} ${from.dialogId}`;
}

/** Where a message comes from. Null if it was typed here, or is by this dialog's agent. */
export function fromOf({ role, head }: Pick<Section, "role" | "head">): From | null {
  const line = role === "user" ? only(head, FROM) : null;
  return line === null ? null : readFrom(line);
}

function readFrom(line: string): From | null {
  const [, dialogId = "", section = "", agent = ""] = FROM_AGENT.exec(line) ?? [];
  if (isDialogId(dialogId)) return { kind: "agent", dialogId, section: Number(section), agent };
  const [, sender = "", call = "", signaller = ""] = FROM_SIGNAL.exec(line) ?? [];
  if (isDialogId(sender)) return { kind: "signal", dialogId: sender, call, agent: signaller };
  const [, kind, other = ""] = FROM_OTHER.exec(line) ?? [];
  return isDialogId(other) && (kind === "context" || kind === "human") ? { kind, dialogId: other } : null;
}

/** The messages of other agents that were delivered to a dialog, including those that the user removed. Each is identified by its `From` value. */
export function deliveredIn({ sections }: Pick<Dialog, "sections">): ReadonlySet<string> {
  const said = sections.flatMap((section) => {
    const from = fromOf(section);
    return from?.kind === "agent" || from?.kind === "signal" ? [fromValue(from)] : [];
  });
  return new Set([...said, ...removedLines(sections)]);
}

/** Records that the user removed a message from elsewhere. The value is the one that `deliveredIn` returns. */
export const removedLine = (value: string): Meta => ({ key: REMOVED, value });

/** The messages from elsewhere that the user has removed by hand. */
export const removedIn = ({ sections }: Pick<Dialog, "sections">): From[] =>
  removedLines(sections).flatMap((value) => readFrom(value) ?? []);

const removedLines = (sections: Dialog["sections"]): string[] =>
  sections.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === "meta" ? part.lines.flatMap(({ key, value }) => (key === REMOVED ? [value] : [])) : [])),
  );

export const systemLine = (text: string): Meta => ({ key: SYSTEM, value: text });

/** Why a mentioned agent couldn't answer. Null if the section doesn't say. */
export function systemOf({ role, head }: Pick<Section, "role" | "head">): string | null {
  return role === "user" ? only(head, SYSTEM) : null;
}

/** Whether the user typed the message, here or in the dialog that it comes from. */
export function isHumans(section: Pick<Section, "role" | "head">): boolean {
  if (section.role !== "user") return false;
  const from = fromOf(section);
  return from === null ? !section.head.some(({ key }) => key === FROM) : from.kind === "human";
}

/** The author of the first message of a dialog: the agent that launched it, Vibey's summary of the dialog that it continues, or the user. */
export function firstSpeaker({ head }: Pick<Dialog, "head">): "user" | "agent" | "summary" {
  const has = (name: string): boolean => head.some(({ key }) => key === name);
  return has("Launched by") || has("Prompt by") ? "agent" : has("Continued from") ? "summary" : "user";
}
