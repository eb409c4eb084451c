import type { ContentBlockParam, TextBlockParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { Dialog } from "../format/model.ts";
import { type AssistantTurn, turnsOf } from "./turns.ts";

/** Stands where the wire wants a user message and the dialog has none. */
export const goOn = "Continue.";
/** Stands before a dialog whose first message is the assistant's. */
export const startMissing = "(The start of this dialog is missing.)";

/** The Messages wire takes any length it is known to say itself; 64 is the safe end of what servers have accepted. */
const maxIdLength = 64;

export interface ClaudeMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlockParam[];
}

/**
 * The `messages` of the Messages wire for a dialog.
 *
 * - Valid whatever the dialog holds: roles alternate, the first and the last message are the user's, no text is blank, and
 *   every call is answered in the message right after it, results first and in call order.
 * - Pure: the same dialog gives the same bytes.
 * - A dialog that grows only adds: the blocks of its earlier sections stay as they are, so prompt caches hit.
 */
export function claudeMessages(dialog: Dialog): ClaudeMessage[] {
  const messages: ClaudeMessage[] = [];
  const add = (role: ClaudeMessage["role"], blocks: readonly ContentBlockParam[]) => {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else messages.push({ role, content: [...blocks] });
  };
  for (const turn of turnsOf(dialog, maxIdLength)) {
    if (turn.role === "user") {
      add("user", [text(turn.text)]);
      continue;
    }
    if (messages.length === 0) add("user", [text(startMissing)]);
    add("assistant", assistantBlocks(turn));
    const results = resultBlocks(turn);
    if (results.length > 0) add("user", results);
  }
  if (messages.at(-1)?.role !== "user") add("user", [text(goOn)]);
  return messages;
}

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
