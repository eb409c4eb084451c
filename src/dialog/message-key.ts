import type { Dialog, Meta } from "./model.ts";
import { sectionAt, sectionCount } from "./sections.ts";
import { readTime } from "./time.ts";

/*
 * A program can name the message that it sends, so that a message that is sent twice appears once. The name is stored in the head of the message, so
 * it survives any lost connection.
 */

export const MESSAGE_KEY = "Message key";

export function messageKeyLine(key: string): Meta {
  return { key: MESSAGE_KEY, value: key };
}

/**
 * The key of a message: the sender's name for it, a point, and an identifier of the content, so that a different message with the same name is
 * recognized.
 */
export const messageKey = (name: string, text: string): string => `${name}.${text}`;

const nameOf = (key: string): string => key.split(".", 1)[0] ?? key;

/**
 * Whether a message with this key was said at or after `since`, in milliseconds since 1970. `other`: a message with the same name but different
 * content was.
 */
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
