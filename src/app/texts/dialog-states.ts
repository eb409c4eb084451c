import { number } from "../ui/format.ts";

export const groupWaiting = "Waiting for you";
export const groupRunning = "Running";
export const groupQueued = "Queued";
export const groupStopped = "Stopped";
export const groupDone = "Done";

/** What a dialog is doing or waiting for. Each is shown after its name, or alone. */
export const asksLeave = "needs approval";
export const wasInterrupted = "interrupted";
export const asksQuestion = "has a question";
export const wasStopped = "stopped";
export const hasFailed = "failed";
export const waitsForWord = "waiting for your reply";
export const waitsForYou = "waiting for you";
export const next = "next in the queue";
export const queued = (ahead: number) => `queued, ${number(ahead)} ahead`;
export const waitsForKey = "waiting for a key";
export const thinking = "thinking…";
export const writing = "writing…";
export const wantsToReach = (host: string) => `wants to connect to ${host}`;
export const waitsToRetry = "retrying soon…";
export const atWork = "working…";
export const hasFinished = "done";

/** A discussion of one message of another dialog, and its outcome. */
export const sideDiscussion = (outcome: "open" | "resolved" | "discarded") =>
  `side discussion, ${outcome === "discarded" ? "ended without a summary" : outcome}`;

/** Shown after the name of a dialog that is done itself: what the agents that it launched are doing, and those that they launched. */
export const itsAgents = (waiting: number, running: number) =>
  `its agents: ${[waiting > 0 ? `${number(waiting)} waiting for you` : "", running > 0 ? `${number(running)} running` : ""].filter(Boolean).join(", ")}`;

/** What one call asks for: "Run npm test". */
export const wish = (verb: string, subject: string) => (subject === "" ? verb : `${verb} ${subject}`);
/** "5 requests: Run npm test, Edit game.js, …" */
export const wishes = (count: number, first: readonly string[]) =>
  `${number(count)} requests: ${first.join(", ")}${count > first.length ? ", …" : ""}`;
