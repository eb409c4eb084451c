import {
  fromOf,
  isHumans,
  mentionsOf,
  type Mention,
  orderOf,
  removedIn,
  resolvesOf,
  sideOf,
  systemOf,
  type TurnsLeft,
  turnsOf,
} from "../../dialog/replies.ts";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import { sectionTime } from "../../dialog/edit.ts";
import type { Dialog, Section } from "../../dialog/model.ts";
import { emptyResponse } from "../providers/provider.ts";
import type { Reply } from "../turn/machine/model.ts";
import { metaOf } from "../turn/machine/queries.ts";
import { usedBy } from "../turn/machine/used-there.ts";

/**
 * The replies a mentioned agent owes the dialog that mentioned it: each failure, then its first complete answer. What it says after that belongs
 * to its own dialog. An answer is a complete response without tool calls.
 */
export function repliesOf(task: Dialog, mention: Mention): Reply[] {
  const replies: Reply[] = [];
  let asked = false;
  /** The first section whose usage no reply has counted. */
  let first = 0;
  for (const [index, section] of task.sections.entries()) {
    if (section.role === "user") asked ||= isHumans(section);
    const stop = metaOf(section).find(({ key }) => key === "Stop")?.value ?? null;
    // A user's message is not a reply. `interrupted` below it only says that approved calls, which had to run first, were interrupted.
    if (section.role === "user" && (stop === null || stop === "interrupted")) continue;
    if (asked) {
      const from = { kind: "agent", dialogId: mention.dialogId, section: index, agent: mention.agent } as const;
      const took = usedBy(task.sections.slice(first, index + 1).filter(({ role }) => role === "assistant"));
      const used = took === null ? {} : { used: took };
      const text = textOf(section);
      const isEnded = !sectionTime(section).open && !hasCalls(section);
      if (stop === null || stop === "max_tokens") {
        if (!isEnded) continue;
        if (!isBlank(text)) return [...replies, { from, text, system: false, ...used }];
        replies.push({ from, text: failureText(agentName(mention.agent), null), system: true, ...used });
        first = index + 1;
      } else if (stop !== "aborted" && (stop !== "interrupted" || !hasCalls(section))) {
        replies.push({ from, text: failureText(agentName(mention.agent), stop), system: true, ...used });
        first = index + 1;
      }
    }
  }
  return replies;
}

/** The message about a response that is no answer. `stop` is the value of its `Stop` line. Null if it has none and shows nothing. */
function failureText(name: string, stop: string | null): string {
  if (stop === null || stop === `error ${emptyResponse}`) return `${name} produced an unexpected response. Try rephrasing your question.`;
  if (stop === "interrupted") return `${name} couldn't respond. The response was interrupted.`;
  if (stop.startsWith("limit time ")) return `${name}'s response timed out. The question may be too complex for a single response.`;
  if (stop.startsWith("error ")) return `${name} couldn't respond. ${stop.slice("error ".length)}`;
  if (stop.startsWith("limit ")) return `${name} couldn't respond. A limit was reached: ${stop.slice("limit ".length)}.`;
  return `${name} couldn't respond. The response ended early (${stop}).`;
}

/** The response has calls that wait for the user or have run. Their results come later. */
const hasCalls = ({ parts }: Section): boolean => parts.some(({ kind }) => kind === "call");

/** Whether the text has no visible character. */
const isBlank = (text: string): boolean => !/[^\s\p{C}\u115f\u1160\u3164\uffa0\u2800]/u.test(text);

function textOf(section: Section): string {
  const waiting = metaOf(section).flatMap(({ key, value }) => (key === "Waiting" ? [value] : []));
  return [...section.parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])), ...waiting].join("\n\n").trim();
}

/** The last summary of a fork in this dialog. Null if there is none. */
export function summaryIn({ sections }: Pick<Dialog, "sections">): (Reply & { readonly to: string }) | null {
  const asked = sections.flatMap((section) => {
    const to = resolvesOf(section);
    return to === null || !isHumans(section) ? [] : mentionsOf(section).map(({ dialogId }) => ({ dialogId, to }));
  });
  const found = sections.findLast((section) => {
    const from = fromOf(section);
    return from?.kind === "agent" && systemOf(section) === null && asked.some(({ dialogId }) => dialogId === from.dialogId);
  });
  const from = found && fromOf(found);
  const to = from && asked.find(({ dialogId }) => dialogId === from.dialogId)?.to;
  return found && from?.kind === "agent" && to !== undefined && to !== null ? { from, text: textOf(found), system: false, to } : null;
}

const keyOf = (dialogId: string, section: number): string => `${dialogId} ${section}`;

/** A mention, and the agents that answer after it, one after another. */
export interface OpenMention extends Mention {
  readonly order: readonly string[];
  /** The agents that answer each other. Null if none do. */
  readonly turns: TurnsLeft | null;
  /** The number of the user's message that is answered, from 1. */
  readonly message: number;
}

/**
 * The mentions in this dialog that have no answer yet. A mention in an agent's answer belongs to the message that this answer is for. Only
 * messages of the user are answered.
 */
export function pendingMentions({ sections }: Pick<Dialog, "sections">): OpenMention[] {
  const answered = new Set<string>();
  /** The number of the user's message, by the dialog in which it is answered. */
  const messages = new Map<string, number>();
  const mentions: OpenMention[] = [];
  for (const [at, section] of sections.entries()) {
    const from = fromOf(section);
    if (from?.kind === "agent" && systemOf(section) === null) answered.add(from.dialogId);
    const message = isHumans(section) ? at + 1 : from?.kind === "agent" ? messages.get(from.dialogId) : undefined;
    if (message === undefined) continue;
    for (const mention of mentionsOf(section)) {
      messages.set(mention.dialogId, message);
      mentions.push({ ...mention, order: orderOf(section), turns: turnsOf(section), message });
    }
  }
  return mentions.filter(({ dialogId }) => {
    const isFirst = !answered.has(dialogId);
    answered.add(dialogId);
    return isFirst;
  });
}

/** The number of replies by agents that answer each other in this dialog. Null if none do. */
export function repliesInTurns({ sections }: Pick<Dialog, "sections">): number | null {
  const asked = sections.flatMap((section) => (turnsOf(section) === null ? [] : mentionsOf(section).map(({ dialogId }) => dialogId)));
  if (asked.length === 0) return null;
  const isReply = (section: Section): boolean => {
    const from = fromOf(section);
    return from?.kind === "agent" && systemOf(section) === null && asked.includes(from.dialogId);
  };
  return sections.filter(isReply).length;
}

/** How many side forks are checked when the dialog is opened. */
const maxSides = 10;

/** The latest side forks that answer messages of this dialog and whose summaries it doesn't have yet. */
export function openSides({ sections }: Pick<Dialog, "sections">): string[] {
  const resolved = new Set(sections.map((section) => (fromOf(section)?.kind === "agent" ? resolvesOf(section) : null)));
  return sections
    .flatMap((section) => sideOf(section) ?? [])
    .filter((side) => !resolved.has(side))
    .slice(-maxSides);
}

/**
 * The replies that are not in the dialog yet. So each is delivered once, however often this is called. `removed`: whether a reply comes again
 * after the user has removed it by hand.
 */
export function pendingReplies<Each extends Reply>(
  { sections }: Pick<Dialog, "sections">,
  replies: readonly Each[],
  removed: "stays away" | "comes again" = "stays away",
): Each[] {
  const there = new Set<string>();
  const all = [...sections.map(fromOf), ...(removed === "comes again" ? [] : removedIn({ sections }))];
  for (const from of all) if (from?.kind === "agent") there.add(keyOf(from.dialogId, from.section));
  return replies.filter(({ from }) => !there.has(keyOf(from.dialogId, from.section)));
}
