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

/*
 * A side fork discusses one message of a dialog, in a room of its own. It takes that message along and nothing else, as a text that says where it
 * comes from: no call, no decision and no permission. What comes of it goes back as a summary.
 */

/** UTF-16 units of a topic. */
export const maxTopicLength = 100;

export const sideForkLine = ({ dialogId, message }: SideOf): Meta => ({
  key: "Forked from",
  value: `${dialogId} | Message: ${message} | Side`,
});

/** The dialog with the message as its first. `mentions`: those who answer it. */
export function withOrigin(dialog: Dialog, { from, text, turns }: SideOf, mentions: readonly Mention[], time: string): Dialog {
  const head = [{ key: "Time", value: time }, fromLine(from), ...mentionLines(mentions), ...(turns ? [turnsLine(turns)] : [])];
  return addText(openSection(dialog, "user", head, { open: false }).dialog, text).dialog;
}

/**
 * A side fork as it is wanted. Those who answer in it do no more without asking than the dialog allows that it was forked from (`allowing`), whose
 * own agent is not in it.
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

/** What there is of message `message` to be discussed. */
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

/** Whose words they are; null: no one's who can be named, such as what an agent was told of another dialog. */
function speakerOf(dialog: Dialog, dialogId: string, message: number, section: Section): From | null {
  if (section.role === "assistant") return { kind: "agent", dialogId, section: message - 1, agent: agentOf(dialog)?.slug ?? "agent" };
  if (!isHumans(section)) {
    const from = fromOf(section);
    return from?.kind === "agent" ? from : null;
  }
  // An agent launched the dialog with it, or Vibey summed up another one.
  return message === 1 && firstSpeaker(dialog) !== "user" ? { kind: "context", dialogId } : { kind: "human", dialogId };
}

export const textOf = ({ parts }: Section): string => parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");

/** The topic of a discussion that a message begins: its first line. */
export function topicFrom(prompt: string): string {
  const [line = ""] = prompt.trim().split("\n");
  return metaValue(Array.from(line).slice(0, maxTopicLength).join("")) || "Discussion";
}
