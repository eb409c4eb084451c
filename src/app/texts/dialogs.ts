import { number } from "../ui/format.ts";

export const engineSilent = "Vibey isn't responding. Retrying…";
export const engineSilentNow = "Vibey isn't responding. Everything on screen is kept. Retrying…";
export const hasAnswered = (name: string) => `${name} answered.`;
export const resolve = "Resolve fork";
export const sendSummary = (slug: string) => `Send summary to ${slug}`;
export const summaryHint = "The summary is added there as a message, and this fork is marked as done.";
export const room = "room";
export const nothingSaidInRoom = "No messages yet. Mention an agent with @ to get an answer.";
export const nothingSaid = "No messages yet. Tell the agent what to do.";

export const decisionOnItsWay = "Sending your decision…";
export const decideFirst = "Approve or deny the request above, then you can write.";
export const turnQueued = "This agent is queued. Stop it, or write once its turn is over.";
export const hostFirst = "Allow or block the request above first. You can also stop the agent.";
export const agentAtWork = "The agent is working. Stop it, or write once its turn is over.";

export const asksForLeave = "The agent needs your approval.";
export const wantsToReach = (host: string) => `A command wants to connect to ${host}.`;
/** `does`: what the dialog is doing now, from dialog-states.ts. */
export const nowDoes = (slug: string, does: string) => `${slug}: ${does}`;
export const stoppedTrying = "Stopped retrying. The response so far is kept.";
export const freshNotBegun = (why: string) => `Couldn't start the new dialog: ${why} This one is unchanged.`;

export const costSoFar = (dollars: string) => `${dollars} so far in this dialog`;
export const withAgent = ["agent ", { slot: "agent" }] as const;
export const launchedBy = ["launched by ", { slot: "dialog" }] as const;
export const answersIn = ["answers a mention in ", { slot: "dialog" }] as const;
export const continuedFrom = ["continued from ", { slot: "dialog" }] as const;
export const sideOf = ["side discussion of ", { slot: "dialog" }] as const;
export const forkedFrom = ["forked from ", { slot: "dialog" }] as const;

/** A problem in a dialog that is no longer shown. */
export const failedIn = (slug: string, why: string) => `In ${slug}: ${why}`;

export const stop = "Stop";
export const markDone = "Mark as done";
export const more = "More";
export const find = "Find in dialog";
export const copyMarkdown = "Copy as Markdown";
export const openAsText = "View as plain text";
export const editFile = "Edit file";
export const mayDo = "Permissions";
export const continueFresh = "Continue in a new dialog";

export const copied = "Copied as Markdown.";
export const notCopied = (why: string) => `Couldn't copy: ${why}`;
export const browserRefusedCopy = (why: string) => `Couldn't copy: the browser blocked it (${why}).`;

export const nextToBegin = "This agent is next in the queue.";
export const waitsForTurn = (ahead: number) => `This agent is queued; ${number(ahead)} ahead.`;
export const triesAgainIn = (time: string) => `retrying in ${time}`;
export const stopTrying = "Stop retrying";
/** One click sends this to an agent whose turn was cut short. */
export const pleaseContinue = "Please continue.";
export const resume = "Continue";
export const tryAgain = "Try again";
/** Opens the settings of the provider that failed. */
export const checkProvider = "Check key and model…";
export const letContinue = "Continue";
export const sendsText = (text: string) => `sends “${text}”`;

export const windowNearlyFull = "Context window almost full";
export const windowTooSmall = "This dialog no longer fits in the model's context window.";
export const windowUsed = (percent: string) => `${percent} of the context window is used.`;
export const freshMeaning =
  "The new dialog starts with a summary of this one, with links back to the original lines. This dialog stays as it is.";

export const stoppedAfter = (time: string) => `A command was stopped after ${time}. Let commands in this dialog run for up to`;

export const background = "Background";
export const backgroundList = "Background commands";
export const backgroundCounts = (running: number, ended: number) =>
  [running > 0 ? `${number(running)} running` : null, ended > 0 ? `${number(ended)} ended` : null]
    .filter((part) => part !== null)
    .join(", ");
export const backgroundRuns = (since: string) => `running since ${since}`;
export const backgroundStopped = "stopped";
export const backgroundEnded = "ended";
export const backgroundFailed = (exitCode: number) => `exited with code ${exitCode}`;
export const stopCommand = (command: string) => `Stop ${command}`;
