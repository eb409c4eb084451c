import type { Frame, StatusAnswer } from "../../../protocol/index.ts";
import { type Answer, unreachable } from "./calls.ts";
import { frames, isEventStream } from "./frames.ts";
import * as t from "../../texts/opened.ts";

export type OpenedDialog = { readonly ok: true; readonly dialogId: string } | { readonly ok: false; readonly message: string };

/** The id of the dialog that a call starts, as soon as the dialog is stored. The dialog's own stream then reports what happens in it. */
export async function opened(answer: Answer<Response>): Promise<OpenedDialog> {
  if (!answer.ok) return answer;
  try {
    // If only mentioned agents answer, each does so in a dialog of its own, and nothing streams in this one.
    if (!isEventStream(answer.value)) {
      const status: StatusAnswer = await answer.value.json();
      return { ok: true, dialogId: status.dialogId };
    }
    for await (const frame of frames<Frame>(answer.value)) {
      if (frame.type === "error") return { ok: false, message: frame.error };
      if (frame.type === "dialog" || frame.type === "tool_request") return { ok: true, dialogId: frame.dialogId };
      if (frame.type === "done") return { ok: true, dialogId: frame.result.dialogId };
    }
    return { ok: false, message: t.saidNothing };
  } catch (error) {
    return unreachable(error);
  }
}
