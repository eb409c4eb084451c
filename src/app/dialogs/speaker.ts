import { agentName, initialsOf } from "../../dialog/mentions/agent-name.ts";
import { visible } from "../calls/visible.ts";
import type { MessageView } from "../../protocol/index.ts";
import * as t from "../texts/messages.ts";

/**
 * The author of a message. `context`: it was said elsewhere: in another dialog, as context for this agent; or to an agent outside Vibey, which
 * reported it.
 */
export interface Speaker {
  readonly kind: "you" | "ai" | "context";
  readonly name: string;
  /** The dialog that it comes from; null: it was said here. */
  readonly dialogId: string | null;
  /** The initials that mark an agent defined by a file. */
  readonly face?: string;
}

/** `own`: the slug of the dialog's agent; null: Vibey's usual agent. */
export function speakerOf(
  { role, from, reportedBy }: Pick<MessageView, "role" | "from" | "reportedBy">,
  own: string | null = null,
): Speaker {
  if (role === "assistant") return own === null ? { kind: "ai", name: t.agent, dialogId: null } : agent(own, null);
  // An agent outside Vibey reported it.
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

/** Whether the user said it, here or in the dialog that it comes from. */
export const isYours = (message: Pick<MessageView, "role" | "from" | "reportedBy">): boolean => speakerOf(message).kind === "you";
