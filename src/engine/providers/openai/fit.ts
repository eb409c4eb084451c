import type { ChatMessage } from "../../prompt/openai-chat.ts";

/** A message of a request: those of a dialog, and who says the system text. */
export type WireMessage = ChatMessage | { readonly role: "system" | "developer"; readonly content: string };

/**
 * For models whose template wants user and assistant in turn: neighbours of one side become one message. Calls end a
 * message, since their results must stand right behind it.
 */
export function alternating(messages: readonly WireMessage[]): WireMessage[] {
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

/** For servers that take call ids of nine letters and digits alone: each becomes its number in the dialog. */
export function withShortIds(messages: readonly WireMessage[]): WireMessage[] {
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
