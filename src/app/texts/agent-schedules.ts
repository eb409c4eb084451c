import { counted } from "./counted.ts";

export const title = "Schedules";
export const hint = (anHour: number) =>
  `A line in main starts an agent while Vibey is open, in a dialog of its own${anHour > 0 ? `, up to ${counted(anHour, "start")} an hour` : ""}. Only you can write such a line.`;
export const moreInMain = (count: number) => `main has ${counted(count, "more schedule")}, not shown here.`;
export const form = "New schedule";
export const agent = "Agent";
export const when = "Starts";
export const every = "every";
export const after = "after";
export const minutes = "minutes";
export const messages = "messages of a dialog";
export const add = "Add schedule";
export const remove = "Remove";
export const removeRule = (rule: string) => `Remove ${rule}`;
export const noAgents = "Schedules start your own agents. You have none yet.";
export const never = "not started yet";
export const last = (time: string) => `last ${time}`;
export const next = (time: string) => `next ${time}`;
export const nextSoon = "starts in a moment";
export const nextByMessages = "next when a dialog has that many messages";
export const notStarting = (why: string) => `Starts nothing: ${why}`;
export const notRead = (why: string) => `Couldn't read the schedules: ${why}`;
export const notWritten = (why: string) => `main wasn't changed: ${why}`;
/** A line of main, literally, in every language. */
export const everyRule = (slug: string, minuteCount: string) => `${slug} every ${minuteCount}m`;
export const afterRule = (slug: string, messageCount: string) => `${slug} after ${messageCount} messages`;
