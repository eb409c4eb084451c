import { generationOf } from "../../dialog/events/events-of.ts";
import type { Dialog, Section } from "../../dialog/model.ts";
import { outsideOf, readReport, reportKeys, toAgentOf } from "../../dialog/outside.ts";
import { sectionAt, sectionCount } from "../../dialog/sections.ts";

/** What the user has for an agent outside Vibey, as its record says. */
export interface Mail {
  /** The agent takes messages: it asked for them, or came by a hook whose answer can hold some. */
  readonly reachable: boolean;
  /** Messages that were not given to it yet, the oldest first: what each is called, and the number of its section. */
  readonly pending: readonly { readonly id: string; readonly section: number }[];
  /** It is to stop, and was not told so yet. */
  readonly stop: boolean;
}

interface Read {
  readonly dialog: Dialog;
  readonly generation: number;
  /** Sections that were read whole, and parts of the one behind them. */
  readonly sections: number;
  readonly parts: number;
  readonly mail: Mail;
}

const none: Mail = { reachable: false, pending: [], stop: false };
const known = new WeakMap<object, Read>();

/** `holder`: what stands for the record while it is open. Reads what came since it was asked last, and nothing twice: a record can have megabytes. */
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

/** `from`: parts before it were read. */
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

/** The text of a message that the user wrote to the agent. */
export function messageText(dialog: Dialog, section: number): string {
  const parts = sectionAt(dialog, section)?.parts ?? [];
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
}
