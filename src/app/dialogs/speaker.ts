import { agentName, initialsOf } from "../../dialog/mentions/agent-name.ts";
import { visible } from "../calls/visible.ts";
import type { MessageView } from "../../protocol/index.ts";
import * as t from "../texts/messages.ts";

/** Whose a message is. `context`: what was said elsewhere: in another dialog, for the agent of this one, or to an agent outside, as that one says. */
export interface Speaker {
  readonly kind: "you" | "ai" | "context";
  readonly name: string;
  /** The dialog that it comes from; null: it was said here. */
  readonly dialogId: string | null;
  /** What marks an agent that a file defines. */
  readonly face?: string;
}

/** `own`: the agent of the dialog, by slug; null: Vibey's usual one. */
export function speakerOf(
  { role, from, reportedBy }: Pick<MessageView, "role" | "from" | "reportedBy">,
  own: string | null = null,
): Speaker {
  if (role === "assistant") return own === null ? { kind: "ai", name: t.agent, dialogId: null } : agent(own, null);
  // No one typed it here.
  if (reportedBy !== undefined) return { kind: "context", name: t.reported(visible(reportedBy)), dialogId: null };
  if (from?.kind === "agent") return agent(from.agent, from.dialogId);
  if (from?.kind === "context") return { kind: "context", name: t.context, dialogId: from.dialogId };
  return { kind: "you", name: t.you, dialogId: from?.dialogId ?? null };
}

function agent(slug: string, dialogId: string | null): Speaker {
  const name = agentName(slug);
  return { kind: "ai", name, dialogId, face: initialsOf(name) };
}

export function isSameSpeaker(one: MessageView | undefined, other: MessageView): boolean {
  if (one === undefined || one.role !== other.role) return false;
  const [a, b] = [speakerOf(one), speakerOf(other)];
  return a.kind === b.kind && a.name === b.name;
}

/** Whether the person said it, here or in the dialog that it comes from. */
export const isYours = (message: Pick<MessageView, "role" | "from" | "reportedBy">): boolean => speakerOf(message).kind === "you";
