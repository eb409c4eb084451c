import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const messages = "Messages";
export const you = "You";
export const agent = "Agent";
/** The author of a message to an agent outside Vibey, as that agent reports it. */
export const reported = (framework: string) => `Reported by ${framework}`;
export const context = "Context";
export const contextFrom = ["What was said before in ", { slot: "dialog" }] as const;
export const afterSummary = "starts from a summary by Vibey";
export const sending = "sending…";
export const thinking = "thinking…";
export const newest = "Jump to latest";

export const moreAboutYours = "Message actions";
export const moreAboutAgents = "Message actions";
export const editAndResend = "Edit and resend";
export const fork = "Fork from here";
export const discuss = "Discuss on the side…";
export const copyMarkdown = "Copy as Markdown";
export const showInFile = "Show in file";
export const notForked = (why: string) => `Couldn't fork: ${why}`;
export const isFork = "You're in the fork. The original dialog is unchanged.";

export const tokens = (input: number, output: number) => `${number(input)} tokens in · ${number(output)} out`;
export const tokensExact = (total: number) => `${number(total)} tokens in this message`;
export const tokensExactCached = (total: number, read: number, written: number) =>
  `${number(total)} tokens in this message (cache: ${number(read)} read, ${number(written)} written)`;
export const tokensSoFar = (total: number) => `${number(total)} total in this dialog`;
export const tokensSoFarExact = (input: number, output: number) => `${number(input)} in, ${number(output)} out`;
export const costReported = (dollars: string) => `${dollars}, reported by the provider`;
export const costReckoned = (dollars: string, source: "you" | "provider" | { readonly list: string } | null) =>
  `${dollars}, ${source === null ? "calculated from prices at the time" : source === "you" ? "calculated from your price" : source === "provider" ? "calculated from the provider's price" : `calculated from the list price of ${source.list}`}`;
export const windowUsed = (part: string) => `${part} of context`;
export const windowExact = (used: number, window: number) => `${number(used)} of ${number(window)} tokens in the model's context window`;
export const percent = (whole: number) => `${whole}%`;
export const lessThanOnePercent = "<1%";

export const youSaidOfHost = (host: string, word: string) => `You set what commands in this dialog can do at ${host}: ${word}.`;
export const youAllowedHost = (host: string) => `You allowed commands in this dialog to connect to ${host}.`;
export const youRefusedHost = (host: string) => `You blocked commands in this dialog from connecting to ${host}.`;
export const youPassedCost = "You let the agent continue once past the spending limit.";
export const youPassedUnknown = "You let this dialog continue with models whose cost is unknown.";
export const youAllowedTime = (time: string) => `You let commands in this dialog run for up to ${time}.`;
/** `wish`: what a tool asks for, "always allow …". */
export const youAllowed = (wish: string) => `You turned on “${wish}”.`;
/** An authority line in a form that Vibey doesn't know. */
export const notUnderstood = (line: string) => `Ignored, because Vibey doesn't understand it: ${line}`;
export const youTookBack = (wish: string) => `You turned off “${wish}”.`;
export const youEdited = (when: string) => `You edited the dialog file, ${when}.`;
export const waitsForYou = (what: string) => `Waiting for you: ${what}`;
export const toldWindow = (part: string) => `Vibey told the agent that ${part} of its context window is used.`;

/** `wish`: what a tool does, "run a command". */
export const writingCall = (wish: string) => `The agent is writing a request to ${wish}…`;
export const incompleteCall = (wish: string) => `The agent's request to ${wish} was cut off before it was complete. It didn't run.`;

export const stoppedByYou = "You stopped the agent here.";
export const interrupted =
  "Interrupted here: the page was closed, or the response broke off before its end. Everything so far is kept. Continue picks up from here.";
export const longestAnswer = "The response hit the model's length limit. Continue lets the agent finish.";
export const declined = "The model declined to answer. Rephrase your request, or choose another model.";
export const tooLong =
  "This dialog no longer fits in the model's context window. Continue in a new dialog, or choose a model with a larger window.";
export const limitReached = (limit: string) => `Limit reached: ${limit}.`;
export const providerFailed = (why: string) => `The request failed: ${why}`;
export const stopped = (why: string) => `Stopped: ${why}`;

export const turnChanges = "Changes in this turn";
export const show = "Show";
export const undo = "Undo";
export const redo = "Redo";
export const notUndone = (why: string) => `Couldn't undo: ${why}`;
export const notRedone = (why: string) => `Couldn't redo: ${why}`;
export const partDone = (why: string) => `${why} Part of it was already done.`;
export const changedFiles = (files: number) => `Changed ${counted(files, "file")}`;
export const changedUndone = (files: number) => `Changed ${counted(files, "file")} (undone)`;
export const changedPartUndone = (files: number, undone: number) => `Changed ${counted(files, "file")} (${number(undone)} undone)`;
