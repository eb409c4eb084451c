import { addText, openSection } from "../../dialog/edit.ts";
import { messageKeyLine } from "../../dialog/message-key.ts";
import type { Dialog } from "../../dialog/model.ts";
import { toAgentLine } from "../../dialog/outside.ts";
import { draft, type Draft } from "../turn/machine/draft.ts";
import { closePart, report } from "./record.ts";

/** A user's message. `id`: eight hexadecimal digits. `key`: the sender's name for the message, in case it is sent twice. */
export interface UserMessage {
  readonly id: string;
  readonly text: string;
  readonly time: string;
  readonly key: string | undefined;
}

/** Writes a user's message to the agent, which gets it with its next step. */
export function say(dialog: Dialog, { id, text, time, key }: UserMessage): Draft {
  const file = draft(dialog);
  closePart(file, time);
  file.edit((now) =>
    openSection(now, "user", [{ key: "Time", value: time }, ...(key === undefined ? [] : [messageKeyLine(key)]), toAgentLine(id)], {
      open: false,
    }),
  );
  file.edit((now) => addText(now, text));
  return file;
}

/** Records that the user asks the agent to stop. */
export function askToStop(dialog: Dialog, time: string): Draft {
  const file = draft(dialog);
  report(file, "stopAsked", time, "");
  return file;
}

/** Records what is delivered to the agent now. */
export function handOver(dialog: Dialog, ids: readonly string[], stop: boolean, time: string): Draft {
  const file = draft(dialog);
  for (const id of ids) report(file, "handed", time, id);
  if (stop) report(file, "stopHanded", time, "");
  return file;
}

/** Records that the agent takes messages. */
export function reached(dialog: Dialog, time: string): Draft {
  const file = draft(dialog);
  report(file, "takes", time, "");
  return file;
}
