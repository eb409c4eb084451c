import type { Dialog } from "../../dialog/model.ts";
import { continuing } from "./continue-note.ts";
import { continuePrompt, startMissing } from "./missing.ts";
import { perTurn } from "./per-turn.ts";
import { type AnsweredCall, type AssistantTurn, type Turn, turnsOf, type UserTurn } from "./turns.ts";

/** Chat Completions rejects longer call ids. */
const maxIdLength = 40;

export type ChatMessage =
  | { readonly role: "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: ChatCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * The `messages` of Chat Completions for a dialog, without the system prompt.
 *
 * - Valid for any dialog: the first message is the user's, the last one is the user's or a result, no text is blank, and every call is answered
 *   right after its message, in call order.
 * - A message has its text before its calls, the only order that the API knows. The texts of a section are joined, so that its calls stay
 *   together and their results come last.
 * - Contents are strings, because many compatible servers accept nothing else.
 * - Pure: the same dialog gives the same bytes. A growing dialog only adds messages.
 */
export function chatMessages(dialog: Dialog): ChatMessage[] {
  const messages = messagesOf(turnsOf(dialog, maxIdLength));
  const last = messages.at(-1)?.role;
  if (last === undefined || last === "assistant") messages.push({ role: "user", content: continuePrompt });
  return messages;
}

const messagesOf = continuing<Turn, ChatMessage>(() => ({
  add(turn, messages) {
    if (turn.role === "user") messages.push(...asked(turn));
    else {
      if (messages.length === 0) messages.push({ role: "user", content: startMissing });
      messages.push(...answered(turn));
    }
    return true;
  },
}));
const asked = perTurn((turn: UserTurn): ChatMessage[] => [{ role: "user", content: turn.text }]);
const answered = perTurn(assistantMessages);

function assistantMessages(turn: AssistantTurn): ChatMessage[] {
  const calls = turn.items.flatMap((item) => (item.kind === "call" ? [item.call] : []));
  const text = turn.items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n\n");
  return [
    { role: "assistant", content: text === "" ? null : text, ...(calls.length === 0 ? {} : { tool_calls: calls.map(chatCall) }) },
    ...calls.map(({ id, outcome }): ChatMessage => ({ role: "tool", tool_call_id: id, content: outcome.text })),
  ];
}

function chatCall({ id, name, input }: AnsweredCall): ChatCall {
  return { id, type: "function", function: { name, arguments: JSON.stringify(input) } };
}
