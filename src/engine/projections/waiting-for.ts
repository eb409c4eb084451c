import type { WaitingFor } from "../../protocol/index.ts";
import type { State } from "../turn/machine/model.ts";
import { isAsked, lastCalls, lastOwn, metaOf } from "../turn/machine/queries.ts";

/** What a waiting dialog waits for. Null for a dialog that does not wait. Reads only the last sections, so it is cheap for any number of dialogs. */
export function waitingFor({ status, dialog }: Pick<State, "status" | "dialog">): WaitingFor | null {
  if (status !== "waiting") return null;
  if (lastCalls(dialog).some(isAsked)) return "leave";
  const last = lastOwn(dialog);
  const lines = last ? metaOf(last) : [];
  const stop = lines.findLast(({ key }) => key === "Stop")?.value;
  if (stop === "interrupted") return "interrupted";
  if (stop === "aborted") return "stopped";
  if (stop?.startsWith("error ")) return "failed";
  return stop === undefined && last?.role === "assistant" && lines.some(({ key }) => key === "Waiting") ? "question" : "word";
}
