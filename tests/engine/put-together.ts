import type { DialogView, MessageView, StreamFrame, ViewFrame } from "../../src/protocol/index.ts";

/** The Markdown that a client puts together from these frames. */
export function textOf(frames: readonly StreamFrame[]): string {
  let text = "";
  for (const frame of frames) {
    if (frame.type === "snapshot") ({ text } = frame);
    if (frame.type === "patch") text = text.slice(0, frame.from) + frame.text;
  }
  return text;
}

/** The dialog that a client puts together from these frames. */
export function viewOf(frames: readonly ViewFrame[]): DialogView {
  let head: Omit<DialogView, "messages"> | undefined;
  let messages: MessageView[] = [];
  for (const frame of frames) {
    switch (frame.type) {
      case "dialog": {
        const { messages: all, ...rest } = frame.dialog;
        head = rest;
        messages = [...all];
        break;
      }
      case "head":
        ({ head } = frame);
        break;
      case "message":
        messages[frame.index] = frame.message;
        break;
      case "text": {
        const message = messages[frame.index];
        if (!message) throw new Error(`text for message ${frame.index} that is not there`);
        const part = message.parts[frame.part] ?? { kind: "text", text: "" };
        if (part.kind !== "text") throw new Error(`text for a part that is a ${part.kind}`);
        const parts = [...message.parts];
        parts[frame.part] = { kind: "text", text: part.text + frame.text };
        messages[frame.index] = { ...message, parts };
        break;
      }
      case "gone":
        break;
    }
  }
  if (!head) throw new Error("no dialog frame");
  return { ...head, messages };
}
