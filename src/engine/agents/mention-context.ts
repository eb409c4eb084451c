import { firstSpeaker, fromOf, isHumans, roomOf, systemOf } from "../../dialog/replies.ts";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import { agentOf } from "../../dialog/agent.ts";
import type { Dialog, Section } from "../../dialog/model.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import { sideForkOf } from "../dialogs/fork-point.ts";
import { labelled } from "../prompt/label.ts";
import { cutMiddle, wellFormed } from "../prompt/text.ts";

/** The user's name if none is set. */
const owner = "Owner";
/** The number of messages that an agent is told about if its file doesn't set one. */
const usual = 50;
/** The maximum length of one message, and of all messages if the model's window is unknown, in UTF-16 units. */
const maxMessageLength = 20_000;
const maxContextLength = 120_000;
/** The maximum length of one shortened message, and of all of them. */
const shortMessage = 200;
const shortContext = 2_000;
/** The length of the quotation that names the message a side fork is about. */
const namedMessage = 200;

/** Roughly how many UTF-16 units fill half of a context window of this many tokens. */
const halfOf = (window: number): number => window * 2;

/** What is sent together with the context. It is never shortened. */
export interface SentWith {
  /** In UTF-16 units: the system prompt (with the agent's prompt, its memory and doc-main.md) and the message. */
  readonly length: number;
  /** The size of the model's window in tokens. Null if it is unknown. */
  readonly window: number | null;
}

/**
 * What a mentioned agent is told about the dialog before the message: who said what, oldest first, for the last 50 messages or the number that
 * its file sets, and then who asks. If the messages and `sent` don't fit into half the model's window, older messages are shortened. Each message
 * begins with a label at the start of a line, and its other lines are indented, so that no text can pass for another speaker's. In a side fork,
 * the topic and the original message come first and don't count as messages. `user` is the user's name.
 */
export function mentionContext(dialog: Dialog, slug: string, messages: number | "all" | null, sent: SentWith, user = owner): string {
  const most = messages === "all" ? Infinity : (messages ?? usual);
  const whole: string[] = [];
  const short: string[] = [];
  const left = sent.window === null ? maxContextLength : halfOf(sent.window) - sent.length;
  let room = Math.max(0, Math.min(maxContextLength, left));
  let shortRoom = shortContext;
  const origin = originOf(dialog, slug, user, Math.max(shortMessage, Math.min(maxMessageLength, room / 2)));
  room -= origin.length;
  for (let at = sectionCount(dialog) - 1; at >= (origin === "" ? 0 : 1) && whole.length + short.length < most && shortRoom > 0; at -= 1) {
    const section = sectionAt(dialog, at);
    const message = section ? messageOf(section, dialog, slug, user) : null;
    if (message === null) continue;
    if (short.length === 0 && message.length <= room) {
      room -= message.length;
      whole.unshift(message);
    } else {
      const told = beginning(message.replaceAll(/\s+/g, " "), Math.min(shortMessage, shortRoom));
      shortRoom -= told.length;
      short.unshift(told);
    }
  }
  return [
    ...(origin === "" ? [] : [origin]),
    ...(short.length > 0 ? [`What was said here earlier, in short:\n\n${short.join("\n")}`] : []),
    ...(whole.length > 0 ? [`What was said here before, oldest first:\n\n${whole.join("\n\n")}`] : []),
    `The person asking is ${user} (role: owner).`,
  ].join("\n\n");
}

/** The subject of a side fork. Empty if the dialog is no side fork or has no section yet. */
function originOf(dialog: Dialog, slug: string, user: string, longest: number): string {
  const section = sideForkOf(dialog.head) === null ? undefined : sectionAt(dialog, 0);
  if (section === undefined) return "";
  const text = textIn(section);
  const named = wellFormed(text.replaceAll(/\s+/g, " ").slice(0, namedMessage));
  const topic = roomOf(dialog.head);
  return [
    ...(topic === null ? [] : [labelled("Topic", topic)]),
    `[This conversation forked from: "${named}..."]`,
    labelled(labelOf(section, dialog, slug, user), cutMiddle(text, longest)),
  ].join("\n\n");
}

function beginning(text: string, most: number): string {
  return text.length <= most ? text : `${wellFormed(text.slice(0, most - 1))}…`;
}

function messageOf(section: Section, dialog: Dialog, slug: string, user: string): string | null {
  if (systemOf(section) !== null) return null;
  const from = fromOf(section);
  if (from?.kind === "context") return null;
  const text = textIn(section);
  if (text === "") return null;
  return labelled(labelOf(section, dialog, slug, user), cutMiddle(text, maxMessageLength));
}

const textIn = ({ parts }: Section): string =>
  parts
    .flatMap((part) => (part.kind === "text" ? [part.text] : part.kind === "call" ? [`[used ${part.call.name}]`] : []))
    .join("\n")
    .trim();

function labelOf(section: Section, dialog: Dialog, slug: string, user: string): string {
  const from = fromOf(section);
  const first = section === sectionAt(dialog, 0) ? firstSpeaker(dialog) : "user";
  if (isHumans(section) && first !== "user") return first === "agent" ? "Another agent (AI)" : "Summary by Vibey";
  if (isHumans(section)) return user;
  const speaker = from?.kind === "agent" ? from.agent : (agentOf(dialog)?.slug ?? "agent");
  return speaker === slug ? "you, earlier" : `${agentName(speaker)} (AI)`;
}
