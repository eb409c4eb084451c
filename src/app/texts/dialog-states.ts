import { number } from "../ui/words.ts";

export const groupWaiting = "Waiting for you";
export const groupRunning = "Running";
export const groupQueued = "In the queue";
export const groupStopped = "Stopped";
export const groupDone = "Done";

/** What a dialog does or waits for: each stands after its name, or alone. */
export const asksLeave = "asks for leave";
export const wasInterrupted = "was interrupted";
export const asksQuestion = "asks a question";
export const wasStopped = "was stopped";
export const hasFailed = "failed";
export const waitsForWord = "waits for your word";
export const waitsForYou = "waits for you";
export const next = "waits for its turn, next";
export const queued = (ahead: number) => `waits for its turn, ${number(ahead)} ahead`;
export const waitsForKey = "waits for a key";
export const thinking = "thinking…";
export const writing = "writing…";
export const wantsToReach = (host: string) => `wants to reach ${host}`;
export const waitsToRetry = "waits to try again…";
export const atWork = "at work…";
export const hasFinished = "has finished";

/** After the name of a dialog that is done itself: what the agents do that it launched, and those that they launched. */
export const itsAgents = (waiting: number, running: number) =>
  `its agents: ${[waiting > 0 ? `${number(waiting)} waiting for you` : "", running > 0 ? `${number(running)} running` : ""].filter(Boolean).join(", ")}`;

/** What one call wants: "Run npm test". */
export const wish = (verb: string, subject: string) => (subject === "" ? verb : `${verb} ${subject}`);
/** "5 things: Run npm test, Edit game.js, …" */
export const wishes = (count: number, first: readonly string[]) =>
  `${number(count)} things: ${first.join(", ")}${count > first.length ? ", …" : ""}`;
