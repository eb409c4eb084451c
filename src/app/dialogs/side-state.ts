import type { DialogListing, MessageView, SideFacts } from "../../protocol/index.ts";
import * as t from "../texts/side.ts";
import { isYours } from "./speaker.ts";

/** The maximum number of replies of agents that answer each other, all agents together. */
export const maxReplies = 10;

export type SideState =
  /** `agents`: those that answer each other; `replies`: the number of their replies so far. */
  | { readonly kind: "turns"; readonly agents: readonly string[]; readonly replies: number }
  /** `sending`: the summary is written, but not yet in the dialog where the discussion was started. */
  | { readonly kind: "open" | "summing" | "sending" | "resolved" | "discarded" };

type SideMessage = Pick<MessageView, "role" | "from" | "system" | "mentions" | "turns" | "resolves">;

/**
 * The state of a side fork, according to its messages and its status. `last`: its last message; `messages`: those that mention agents or come from
 * elsewhere.
 */
export function sideState(messages: readonly SideMessage[], last: SideMessage | undefined, status: DialogListing["status"]): SideState {
  const answered = new Set(messages.flatMap(({ from, system }) => (from?.kind === "agent" && system === undefined ? [from.dialogId] : [])));
  const isAnswered = (message: Pick<MessageView, "mentions">) => message.mentions?.every(({ dialogId }) => answered.has(dialogId)) === true;
  const asks = messages.filter((message) => isYours(message) && message.resolves !== undefined && message.mentions !== undefined);
  if (status === "done") return { kind: asks.some(isAnswered) ? "resolved" : "discarded" };
  if (asks.some((message) => !isAnswered(message))) return { kind: "summing" };
  const from = last?.from;
  if (asks.some(({ mentions }) => from?.kind === "agent" && mentions?.some(({ dialogId }) => dialogId === from.dialogId)))
    return { kind: "sending" };
  const asked = messages.filter(({ turns }) => turns !== undefined);
  const open = asked.findLast((message) => !isAnswered(message));
  const [first] = asked;
  if (open === undefined || first?.turns === undefined) return { kind: "open" };
  // `next` lists the agents in the order in which they follow, so the one that began is last.
  const agents = [...first.turns.next.slice(-1), ...first.turns.next.slice(0, -1)];
  return { kind: "turns", agents, replies: asked.filter(isAnswered).length };
}

const words = { open: t.isOpen, resolved: t.isResolved, discarded: t.isDiscarded } as const;

/** In a list: the outcome, and how many replies agents that answer each other have made. */
export const sideWords = ({ outcome, replies }: Pick<SideFacts, "outcome" | "replies">): string =>
  outcome === "open" && replies !== null ? `${words.open}, ${t.replies(replies, maxReplies)}` : words[outcome];
