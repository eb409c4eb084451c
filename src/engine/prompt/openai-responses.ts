import type { Dialog } from "../../dialog/model.ts";
import { continuing } from "./continue-note.ts";
import { continuePrompt, startMissing } from "./missing.ts";
import { perTurn } from "./per-turn.ts";
import { type AssistantTurn, type Turn, turnsOf, type UserTurn } from "./turns.ts";

/** The same as for Chat Completions, so that a dialog keeps its ids if the API changes. */
const maxIdLength = 40;

export type ResponsesItem =
  | { readonly type: "message"; readonly role: "user" | "assistant"; readonly content: string }
  | { readonly type: "function_call"; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: "function_call_output"; readonly call_id: string; readonly output: string };

/**
 * The `input` of the Responses API for a dialog, without the system prompt.
 *
 * - Valid for any dialog: the first item is the user's, the last one is the user's or an output, no text is blank, and every call is answered.
 *   The outputs of a section come right after its calls, in call order, and its texts before them: compatible servers match them by position.
 * - No reasoning items: the API rejects one without exactly the item that followed it, and users may edit the file.
 * - Pure: the same dialog gives the same bytes. A growing dialog only adds items.
 */
export function responsesInput(dialog: Dialog): ResponsesItem[] {
  const items = itemsOf(turnsOf(dialog, maxIdLength));
  const last = items.at(-1);
  if (last === undefined || (last.type === "message" && last.role === "assistant")) items.push(message("user", continuePrompt));
  return items;
}

const itemsOf = continuing<Turn, ResponsesItem>(() => ({
  add(turn, items) {
    if (turn.role === "user") items.push(...asked(turn));
    else {
      if (items.length === 0) items.push(message("user", startMissing));
      items.push(...answered(turn));
    }
    return true;
  },
}));
const asked = perTurn((turn: UserTurn): ResponsesItem[] => [message("user", turn.text)]);
const answered = perTurn(assistantItems);

function assistantItems(turn: AssistantTurn): ResponsesItem[] {
  const calls = turn.items.flatMap((item) => (item.kind === "call" ? [item.call] : []));
  return [
    ...turn.items.flatMap((item) => (item.kind === "text" ? [message("assistant", item.text)] : [])),
    ...calls.map(({ id, name, input }): ResponsesItem => ({ type: "function_call", call_id: id, name, arguments: JSON.stringify(input) })),
    ...calls.map(({ id, outcome }): ResponsesItem => ({ type: "function_call_output", call_id: id, output: outcome.text })),
  ];
}

function message(role: "user" | "assistant", content: string): ResponsesItem {
  return { type: "message", role, content };
}
