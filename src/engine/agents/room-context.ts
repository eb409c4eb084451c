import { fromOf, isHumans, systemOf } from "../../dialog/replies.ts";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import { agentOf } from "../../dialog/agent.ts";
import type { Dialog, Section } from "../../dialog/model.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";
import { labelled } from "../prompt/label.ts";
import { cutMiddle } from "../prompt/text.ts";

/** Messages that an agent is told of, where its file doesn't say. */
const usual = 50;
/** UTF-16 units of one message, and of all of them. */
const longestMessage = 20_000;
const longestContext = 120_000;

/**
 * What an agent that is mentioned is told of the dialog before the message: who said what, oldest first, the last 50 messages or as many
 * as its file says; then who asks. Each message begins with a label at the start of a line, and its other lines are indented, so that no text can pass for another's.
 */
export function roomContext(dialog: Dialog, slug: string, messages: number | "all" | null): string {
  const most = messages === "all" ? Infinity : (messages ?? usual);
  const said: string[] = [];
  let room = longestContext;
  for (let at = sectionCount(dialog) - 1; at >= 0 && said.length < most; at -= 1) {
    const section = sectionAt(dialog, at);
    const message = section ? messageOf(section, dialog, slug) : null;
    if (message === null) continue;
    room -= message.length;
    if (room < 0) break;
    said.unshift(message);
  }
  const asks = "The person who asks is the owner of the project.";
  if (said.length === 0) return asks;
  return `What was said here before, oldest first:\n\n${said.join("\n\n")}\n\n${asks}`;
}

function messageOf(section: Section, dialog: Dialog, slug: string): string | null {
  if (systemOf(section) !== null) return null;
  const from = fromOf(section);
  if (from?.kind === "context") return null;
  const text = section.parts
    .flatMap((part) => (part.kind === "text" ? [part.text] : part.kind === "call" ? [`[used ${part.call.name}]`] : []))
    .join("\n")
    .trim();
  if (text === "") return null;
  const speaker = from?.kind === "agent" ? from.agent : isHumans(section) ? null : (agentOf(dialog)?.slug ?? "agent");
  return labelled(
    speaker === null ? "Owner" : speaker === slug ? "you, earlier" : `${agentName(speaker)} (AI)`,
    cutMiddle(text, longestMessage),
  );
}
