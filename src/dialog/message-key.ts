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

/** Whether a message of that key was said at or after `since`, in milliseconds since 1970. */
export function hasMessage(dialog: Dialog, key: string, since: number): boolean {
  for (let at = sectionCount(dialog) - 1; at >= 0; at--) {
    const section = sectionAt(dialog, at);
    if (section?.role !== "user") continue;
    const time = readTime(section.head.find((line) => line.key === "Time")?.value ?? null);
    if (time !== null && Date.parse(time) < since) return false;
    if (section.head.some((line) => line.key === MESSAGE_KEY && line.value === key)) return true;
  }
  return false;
}
