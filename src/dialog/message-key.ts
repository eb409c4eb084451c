import type { Dialog, Meta } from "./model.ts";
import { sectionAt, sectionCount } from "./sections.ts";
import { readTime } from "./time.ts";

/*
 * A program that sends a message can name it, so that one that is sent twice is said once. The name stands in the head of the message: it outlives
 * whatever was lost on the way.
 */

export const MESSAGE_KEY = "Message key";

export function messageKeyLine(key: string): Meta {
  return { key: MESSAGE_KEY, value: key };
}

/** The key of a message: what its sender calls it, and behind a point what it says, so that another message of that name is not taken for it. */
export const messageKey = (name: string, text: string): string => `${name}.${text}`;

const nameOf = (key: string): string => key.split(".", 1)[0] ?? key;

/** Whether a message of that key was said at or after `since`, in milliseconds since 1970. `other`: one of that name, and it said something else. */
export function earlierMessage(dialog: Dialog, key: string, since: number): "same" | "other" | null {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    if (section?.role !== "user") continue;
    const time = readTime(section.head.find((line) => line.key === "Time")?.value ?? null);
    if (time !== null && Date.parse(time) < since) return null;
    const said = section.head.find((line) => line.key === MESSAGE_KEY)?.value;
    if (said !== undefined && nameOf(said) === nameOf(key)) return said === key || said === nameOf(key) ? "same" : "other";
  }
  return null;
}
