import { number } from "../ui/format.ts";
import { joined } from "./mentions.ts";

export const title = "Side discussion";
export const what =
  "A room for this one message. Agents you mention there see this message and what is said in the room, and nothing else from this dialog. Resolve it to bring back a summary.";
export const topic = "What is it about?";
export const topicMissing = "Enter a topic of up to 100 characters.";
export const start = "Start";
export const notStarted = (why: string) => `Couldn't start the side discussion: ${why}`;

export const sideDiscussions = "Side discussions";
export const about = ["Side discussion: ", { slot: "dialog" }] as const;
export const isOpen = "open";
export const isResolved = "resolved";
export const isDiscarded = "ended without a summary";
export const replies = (count: number, most: number) => `${number(count)} of up to ${number(most)} replies`;

export const resolved = (subject: string) => `Resolved: ${subject}`;
export const summaryOf = ["Summary of ", { slot: "dialog" }] as const;
export const conclusion = "Conclusion";
export const keyPoints = "Key points";
export const actionItems = "Action items";

export const answerEachOther = (names: readonly string[], count: number, most: number) =>
  `${joined(names)} answer each other: ${replies(count, most)}. Then Vibe sums it up.`;
export const heldUp = (names: readonly string[]) =>
  `${joined(names)} have stopped answering each other. Continue the last one in its own dialog, or end the discussion.`;
export const isSummedUp = "Vibe is summing up this discussion.";
export const open = ["What is said here stays here. Resolve it to bring a summary to ", { slot: "dialog" }, "."] as const;
export const summaryIn = ["Resolved. The summary is in ", { slot: "dialog" }, "."] as const;
export const summaryComes = ["Resolved. The summary will be added to ", { slot: "dialog" }, " when its agent is idle."] as const;
export const discarded = ["Ended without a summary. Nothing goes to ", { slot: "dialog" }, "."] as const;
export const resolve = "Resolve";
export const discard = "End without a summary";
export const stopTurns = "Stop";
export const notStopped = (why: string) => `Couldn't stop: ${why}`;
