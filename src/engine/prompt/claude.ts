import type { ContentBlockParam, TextBlockParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { Dialog } from "../../dialog/model.ts";
import { continuing } from "./continue-note.ts";
import { continuePrompt, startMissing } from "./missing.ts";
import { perTurn } from "./per-turn.ts";
import { type AssistantTurn, type Turn, turnsOf, type UserTurn } from "./turns.ts";

/** The Messages API states no maximum length of ids, as far as is known. 64 is safe: servers have accepted it. */
const maxIdLength = 64;

export interface ClaudeMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlockParam[];
}

/**
 * The `messages` of the Messages API for a dialog.
 *
 * - Valid for any dialog: roles alternate, the first and the last message are the user's, no text is blank, and every call is answered in the
 *   next message, results first and in call order.
 * - Pure: the same dialog gives the same bytes.
 * - A growing dialog only adds blocks. The blocks of earlier sections stay the same, so prompt caches hit.
 */
export function claudeMessages(dialog: Dialog): ClaudeMessage[] {
  const messages = messagesOf(turnsOf(dialog, maxIdLength));
  if (messages.at(-1)?.role !== "user") add(messages, "user", [text(continuePrompt)]);
  return messages;
}

const messagesOf = continuing<Turn, ClaudeMessage>(() => ({
  add(turn, messages) {
    const isNext = messages.at(-1)?.role !== turn.role;
    if (turn.role === "user") add(messages, "user", asked(turn));
    else {
      if (messages.length === 0) add(messages, "user", [text(startMissing)]);
      add(messages, "assistant", said(turn));
      const answers = results(turn);
      if (answers.length > 0) add(messages, "user", answers);
    }
    return isNext;
  },
}));

function add(messages: ClaudeMessage[], role: ClaudeMessage["role"], blocks: readonly ContentBlockParam[]): void {
  const last = messages.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else messages.push({ role, content: [...blocks] });
}

const asked = perTurn((turn: UserTurn): ContentBlockParam[] => [text(turn.text)]);
const said = perTurn(assistantBlocks);
const results = perTurn(resultBlocks);

function assistantBlocks(turn: AssistantTurn): ContentBlockParam[] {
  return turn.items.map((item) =>
    item.kind === "text" ? text(item.text) : { type: "tool_use", id: item.call.id, name: item.call.name, input: item.call.input },
  );
}

function resultBlocks(turn: AssistantTurn): ToolResultBlockParam[] {
  return turn.items.flatMap((item) =>
    item.kind === "text"
      ? []
      : [
          {
            type: "tool_result",
            tool_use_id: item.call.id,
            content: item.call.outcome.text,
            ...(item.call.outcome.isError ? { is_error: true } : {}),
          },
        ],
  );
}

function text(value: string): TextBlockParam {
  return { type: "text", text: value };
}
