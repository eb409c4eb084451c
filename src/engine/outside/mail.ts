import { generationOf } from "../../dialog/events/events-of.ts";
import type { Dialog, Section } from "../../dialog/model.ts";
import { outsideOf, readReport, reportKeys, toAgentOf } from "../../dialog/outside.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";

/** The user's messages and stop request for an outside agent, from its record. */
export interface Mail {
  /** The agent takes messages: it asked for them, or used a hook whose answer can carry them. */
  readonly reachable: boolean;
  /** Messages that were not delivered yet, oldest first: each one's id and the index of its section. */
  readonly pending: readonly { readonly id: string; readonly section: number }[];
  /** The agent must stop, and has not been told yet. */
  readonly stop: boolean;
}

interface Read {
  readonly dialog: Dialog;
  readonly generation: number;
  /** How many sections were read completely, and how many parts of the section after them. */
  readonly sections: number;
  readonly parts: number;
  readonly mail: Mail;
}

const none: Mail = { reachable: false, pending: [], stop: false };
const known = new WeakMap<object, Read>();

/** `holder`: an object that represents the open record. Each call only reads what is new since the last call, because a record can have megabytes. */
export function mailOf(holder: object, dialog: Dialog): Mail {
  const before = known.get(holder);
  if (before?.dialog === dialog) return before.mail;
  if (outsideOf(dialog) === null) return none;
  const generation = generationOf(dialog);
  const count = sectionCount(dialog);
  const isSame = before !== undefined && before.generation === generation && before.sections <= count;
  let [mail, from] = isSame ? [before.mail, before.parts] : [none, 0];
  const first = isSame ? before.sections : 0;
  for (let at = first; at < count; at += 1) {
    const section = sectionAt(dialog, at);
    if (section) mail = readSection(mail, section, at, at === first ? from : 0);
  }
  from = sectionAt(dialog, count - 1)?.parts.length ?? 0;
  known.set(holder, { dialog, generation, sections: Math.max(0, count - 1), parts: from, mail });
  return mail;
}

/** `from`: the index of the first part that wasn't read yet. */
function readSection(before: Mail, section: Section, at: number, from: number): Mail {
  let mail = before;
  const id = from === 0 ? toAgentOf(section) : null;
  if (id !== null && mail.pending.every((one) => one.id !== id)) mail = { ...mail, pending: [...mail.pending, { id, section: at }] };
  for (const part of section.parts.slice(from)) {
    if (part.kind !== "meta") continue;
    for (const { key, value } of part.lines) {
      if (key === reportKeys.takes) mail = { ...mail, reachable: true };
      else if (key === reportKeys.stopAsked) mail = { ...mail, stop: true };
      else if (key === reportKeys.stopHanded || key === reportKeys.stopVoid) mail = { ...mail, stop: false };
      else if (key === reportKeys.handed) {
        const given = readReport(value).words;
        mail = { ...mail, reachable: true, pending: mail.pending.filter((one) => one.id !== given) };
      }
    }
  }
  return mail;
}

/** The text of a user's message to the agent. */
export function messageText(dialog: Dialog, section: number): string {
  const parts = sectionAt(dialog, section)?.parts ?? [];
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
}
