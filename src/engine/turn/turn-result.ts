import type { TurnResult } from "../../protocol/index.ts";
import type { Effect } from "./machine/model.ts";
import { currentModel, currentProvider } from "./machine/next-step.ts";
import type { Live } from "../dialogs/live.ts";

/** The result in the `done` frame: the whole stream in one value. */
export function turnResult(live: Live, { turn, calls, interrupted }: Omit<Extract<Effect, { type: "done" }>, "type">): TurnResult {
  const { dialog, status } = live.state;
  return {
    dialogId: live.id,
    filename: live.path.slice("vibey/".length),
    provider: currentProvider(dialog),
    model: currentModel(dialog),
    content: turn.content,
    toolCalls: calls.length > 0 ? calls.map(({ id, name, input }) => ({ id, name, input })) : null,
    autoExecuted: turn.autoExecuted,
    status,
    ...(interrupted ? { interrupted: true } : {}),
  };
}
