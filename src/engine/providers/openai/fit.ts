import { replyMissing } from "../../prompt/missing.ts";
import type { ChatCall, ChatMessage } from "../../prompt/openai-chat.ts";
import type { Facts } from "./facts.ts";

type Assistant = Extract<ChatMessage, { role: "assistant" }>;
type Result = Extract<ChatMessage, { role: "tool" }>;

/** A message of a request: a message of the dialog with the additions that a server wants, or the system text. */
export type WireMessage =
  | Exclude<ChatMessage, Assistant | Result>
  | (Result & { readonly name?: string })
  | (Omit<Assistant, "tool_calls"> & { readonly tool_calls?: WireCall[]; readonly reasoning_content?: string })
  | { readonly role: "system" | "developer"; readonly content: string };

interface WireCall extends ChatCall {
  readonly extra_content?: { readonly google: { readonly thought_signature: string } };
}

export type Fit = Pick<Facts, "alternate" | "shortIds" | "signatures" | "reasoning" | "replies" | "texts" | "toolNames">;

/** The messages in the form that the server's refusals have asked for. */
export function fitted(messages: WireMessage[], fits: Fit): WireMessage[] {
  const { alternate, shortIds, signatures, reasoning, replies, texts, toolNames } = fits;
  let fit = messages;
  if (replies) fit = withReplies(fit);
  if (alternate) fit = alternating(fit);
  if (toolNames) fit = withToolNames(fit);
  if (shortIds) fit = withShortIds(fit);
  if (texts) fit = fit.map((message) => (message.content === null ? { ...message, content: "" } : message));
  if (signatures) fit = withSignatures(fit);
  return reasoning === undefined ? fit : withReasoning(fit, reasoning);
}

/**
 * For models whose template requires user and assistant messages to alternate: consecutive messages of one role are joined. A message
 * with calls isn't continued, because the results must follow directly.
 */
function alternating(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === "user" && message.role === "user") {
      joined[joined.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    } else if (last?.role === "assistant" && message.role === "assistant" && !last.tool_calls) {
      const content = [last.content, message.content].filter((text) => text !== null).join("\n\n");
      joined[joined.length - 1] = { ...message, content };
    } else joined.push(message);
  }
  return joined;
}

/** For servers that only accept call ids of nine letters and digits: each id becomes a number, counted through the dialog. */
function withShortIds(messages: readonly WireMessage[]): WireMessage[] {
  const short = new Map<string, string>();
  const idOf = (id: string) => {
    const known = short.get(id) ?? `call${String(short.size + 1).padStart(5, "0")}`;
    short.set(id, known);
    return known;
  };
  return messages.map((message) => {
    if (message.role === "tool") return { ...message, tool_call_id: idOf(message.tool_call_id) };
    if (message.role !== "assistant" || !message.tool_calls) return message;
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: idOf(call.id) })) };
  });
}

/** For models whose template requires an assistant message between the results of calls and the next user message. */
function withReplies(messages: readonly WireMessage[]): WireMessage[] {
  return messages.flatMap((message, at) =>
    message.role === "user" && messages[at - 1]?.role === "tool" ? [{ role: "assistant", content: replyMissing }, message] : [message],
  );
}

/** For servers that match results by the names of tools, not by the ids of calls. */
function withToolNames(messages: readonly WireMessage[]): WireMessage[] {
  const names = new Map<string, string>();
  return messages.map((message) => {
    if (message.role === "assistant") for (const call of message.tool_calls ?? []) names.set(call.id, call.function.name);
    return message.role === "tool" ? { ...message, name: names.get(message.tool_call_id) ?? "" } : message;
  });
}

/** Gemini accepts this value in place of a lost thought signature. Only the first call of a message needs one. */
const anySignature = { extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } };

function withSignatures(messages: readonly WireMessage[]): WireMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || !message.tool_calls) return message;
    return { ...message, tool_calls: message.tool_calls.map((call, at) => (at === 0 ? { ...call, ...anySignature } : call)) };
  });
}

/** For models that want their thoughts sent back. Vibey doesn't keep them, and the field alone is enough. */
function withReasoning(messages: readonly WireMessage[], text: string): WireMessage[] {
  return messages.map((message) => (message.role === "assistant" ? { ...message, reasoning_content: text } : message));
}
