import { number } from "../ui/words.ts";

export const engineSilent = "The engine does not answer. Trying again…";
export const engineSilentNow = "The engine does not answer just now. What you see is kept; trying again…";
export const nothingSaid = "Nothing said yet. Write below what this agent should do.";

export const decisionOnItsWay = "Your decision is on its way.";
export const decideFirst = "Decide above what the agent may do; then you can write.";
export const turnQueued = "The agent waits for its turn. You can stop it, or write when its turn has ended.";
export const hostFirst = "A command waits for your word above. You can stop it, or write when the turn ends.";
export const agentAtWork = "The agent is at work. You can stop it, or write when its turn ends.";

export const asksForLeave = "The agent asks for your leave.";
export const wantsToReach = (host: string) => `A command wants to reach ${host}.`;
/** `does`: what the dialog does now, of dialog-states.ts. */
export const nowDoes = (slug: string, does: string) => `${slug} ${does}.`;
export const stoppedTrying = "Stopped trying. What was written is kept.";
export const freshNotBegun = (why: string) => `The fresh dialog could not be begun: ${why} This one stays as it is.`;

export const costSoFar = (dollars: string) => `${dollars} in this dialog so far`;
export const launchedBy = ["launched by ", { slot: "dialog" }] as const;
export const continuedFrom = ["continued from ", { slot: "dialog" }] as const;
export const forkedFrom = ["forked from ", { slot: "dialog" }] as const;

export const stop = "Stop";
export const markDone = "Mark done";
export const more = "More";
export const find = "Find in this dialog";
export const copyMarkdown = "Copy as markdown";
export const openAsText = "Open as text";
export const editFile = "Edit the file";
export const mayDo = "What it may do";
export const continueFresh = "Continue in a fresh dialog";

export const copied = "Copied as markdown.";
export const notCopied = (why: string) => `Not copied: ${why}`;
export const browserRefusedCopy = (why: string) => `Not copied: the browser refused (${why}).`;

export const nextToBegin = "This agent is the next to begin.";
export const waitsForTurn = (ahead: number) => `This agent waits for its turn; ${number(ahead)} ahead.`;
export const triesAgainIn = (seconds: number) => `tries again in ${number(seconds)} s`;
export const stopTrying = "Stop trying";
/** What one click says to an agent whose turn did not come to its own end. */
export const goOn = "Please go on.";
export const resume = "Resume";
export const tryAgain = "Try again";
/** Opens the settings of the provider that failed. */
export const checkProvider = "Check key and model…";
export const letContinue = "Continue";
export const sendsText = (text: string) => `sends “${text}”`;

export const windowNearlyFull = "The window is nearly full";
export const windowTooSmall = "This dialog is longer than the model can read at once.";
export const windowUsed = (percent: string) => `${percent} of what the model can read at once is used.`;
export const freshMeaning =
  "A fresh dialog begins with a summary of this one. Its points link to the lines here, and this dialog stays whole.";

export const stoppedAfter = (time: string) => `A command was stopped after ${time}. Let commands of this dialog run up to`;

export const background = "In the background";
export const backgroundList = "Commands in the background";
export const backgroundCounts = (running: number, ended: number) =>
  [running > 0 ? `${number(running)} ${running === 1 ? "runs" : "run"}` : null, ended > 0 ? `${number(ended)} ended` : null]
    .filter((part) => part !== null)
    .join(", ");
export const backgroundRuns = (since: string) => `runs since ${since}`;
export const backgroundStopped = "stopped";
export const backgroundEnded = "ended";
export const backgroundFailed = (exitCode: number) => `ended with exit code ${exitCode}`;
export const stopCommand = (command: string) => `Stop ${command}`;
