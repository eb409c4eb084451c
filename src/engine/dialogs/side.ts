import { allowedIn, takenBackIn } from "../agents/allowed.ts";
import { agentOf } from "../../dialog/agent.ts";
import { addText, openSection, sectionTime } from "../../dialog/edit.ts";
import { metaValue } from "../../dialog/meta.ts";
import type { Dialog, Meta, Section } from "../../dialog/model.ts";
import { firstSpeaker, type From, fromLine, fromOf, isHumans, type Mention, mentionLines, turnsLine } from "../../dialog/replies.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import type { ForkRefusal } from "./fork.ts";
import type { SideOf } from "./fork-point.ts";
import type { NewDialog } from "./new-dialog.ts";

/**
 * A side fork discusses one message of a dialog, in its own room. It copies only that message, as text with its source, but no calls, decisions
 * or permissions. Its result goes back as a summary.
 */

/** In UTF-16 units. */
export const maxTopicLength = 100;

export const sideForkLine = ({ dialogId, message }: SideOf): Meta => ({
  key: "Forked from",
  value: `${dialogId} | Message: ${message} | Side`,
});

/** The dialog with the message as its first. `mentions`: the agents that answer it. */
export function withOrigin(dialog: Dialog, { from, text, turns }: SideOf, mentions: readonly Mention[], time: string): Dialog {
  const head = [{ key: "Time", value: time }, fromLine(from), ...mentionLines(mentions), ...(turns ? [turnsLine(turns)] : [])];
  return addText(openSection(dialog, "user", head, { open: false }).dialog, text).dialog;
}

/**
 * The settings of a new side fork. Agents in it may do no more without approval than the original dialog (`allowing`) permits. The original
 * dialog's own agent doesn't take part.
 */
export function sideDialog(side: SideOf, topic: string, allowing: Dialog, target: Pick<NewDialog, "provider" | "model">): NewDialog {
  return {
    ...target,
    slug: topic,
    prompt: null,
    launchedBy: null,
    room: topic,
    allowed: allowedIn(allowing),
    takenBack: takenBackIn(allowing),
    side,
  };
}

/** The content of message `message` that can be discussed. */
export function originOf(
  dialog: Dialog,
  dialogId: string,
  message: number,
): { readonly ok: true; readonly value: SideOf } | { readonly ok: false; readonly refusal: ForkRefusal } {
  const section = sectionAt(dialog, message - 1);
  if (section === undefined) return { ok: false, refusal: { kind: "no-message", message, messages: sectionCount(dialog) } };
  if (sectionTime(section).open) return { ok: false, refusal: { kind: "active" } };
  const from = speakerOf(dialog, dialogId, message, section);
  const text = textOf(section);
  if (from === null || text === "") return { ok: false, refusal: { kind: "no-text", message } };
  return { ok: true, value: { dialogId, message, from, text } };
}

/** The author of the message. Null if it has no author who can be named, such as the context that an agent was told about another dialog. */
function speakerOf(dialog: Dialog, dialogId: string, message: number, section: Section): From | null {
  if (section.role === "assistant") return { kind: "agent", dialogId, section: message - 1, agent: agentOf(dialog)?.slug ?? "agent" };
  if (!isHumans(section)) {
    const from = fromOf(section);
    return from?.kind === "agent" ? from : null;
  }
  // An agent launched the dialog with this message, or it is Vibey's summary of another dialog.
  return message === 1 && firstSpeaker(dialog) !== "user" ? { kind: "context", dialogId } : { kind: "human", dialogId };
}

export const textOf = ({ parts }: Section): string => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");

/** The topic of a discussion: the first line of its first message. */
export function topicFrom(prompt: string): string {
  const [line = ""] = prompt.trim().split("\n");
  return metaValue(Array.from(line).slice(0, maxTopicLength).join("")) || "Discussion";
}
