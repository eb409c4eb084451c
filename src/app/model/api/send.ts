import type { Frame, PutDialogBody } from "../../../protocol/index.ts";
import { putDialog, unreachable } from "./calls.ts";
import { frames, isEventStream } from "./frames.ts";

/**
 * Sends the body. Resolves to null as soon as the engine has accepted it, else to what went wrong. Later events, such as a failing provider, are in
 * the dialog itself.
 */
export async function send(body: PutDialogBody): Promise<string | null> {
  const answer = await putDialog(body);
  if (!answer.ok) return answer.message;
  if (!isEventStream(answer.value)) return null;
  try {
    for await (const frame of frames<Frame>(answer.value)) {
      if (frame.type === "error") return frame.error;
      if (frame.type === "dialog" || frame.type === "chunk" || frame.type === "done") return null;
    }
    return null;
  } catch (error) {
    return unreachable(error).message;
  }
}
