import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const messages = "Messages";
export const you = "You";
export const agent = "Agent";
export const afterSummary = "after a summary by Vibey";
export const sending = "sending…";
export const thinking = "thinking…";
export const newest = "Jump to the newest";

export const moreAboutYours = "More about what you said";
export const moreAboutAgents = "More about what the agent said";
export const editAndResend = "Edit and resend";
export const fork = "Fork here";
export const copyMarkdown = "Copy as markdown";
export const showInFile = "Show in the file";
export const notForked = (why: string) => `Not forked: ${why}`;
export const isFork = "This is the fork. The other dialog stays as it is.";

export const tokens = (input: number, output: number) => `${number(input)} tokens in · ${number(output)} out`;
export const tokensExact = (total: number) => `${number(total)} tokens in this message`;
export const tokensExactCached = (total: number, read: number, written: number) =>
  `${number(total)} tokens in this message; the provider's cache gave ${number(read)} of them and took ${number(written)}`;
export const tokensSoFar = (total: number) => `${number(total)} in this dialog so far`;
export const tokensSoFarExact = (input: number, output: number) => `${number(input)} in, ${number(output)} out`;
export const costReported = (dollars: string) => `${dollars}, as the provider reported it`;
export const costReckoned = (dollars: string, source: "you" | "provider" | { readonly list: string } | null) =>
  `${dollars}, ${source === null ? "by the prices of then" : source === "you" ? "by your price" : source === "provider" ? "by the provider's price" : `by the list price of ${source.list}`}`;
export const windowUsed = (part: string) => `${part} of the window`;
export const windowExact = (used: number, window: number) =>
  `${number(used)} of the ${number(window)} tokens that the model can read at once`;
export const percent = (whole: number) => `${whole} %`;
export const lessThanOnePercent = "less than 1 %";

export const youSaidOfHost = (host: string, word: string) => `You set what commands of this dialog may do at ${host}: ${word}.`;
export const youAllowedHost = (host: string) => `You let commands of this dialog reach ${host}.`;
export const youRefusedHost = (host: string) => `You refused commands of this dialog to reach ${host}.`;
export const youPassedCost = "You let the agent go on once past the limit of what this project may cost.";
export const youPassedUnknown = "You let this dialog go on with models whose price nobody knows.";
export const youAllowedTime = (time: string) => `You let commands of this dialog run up to ${time}.`;
/** `wish`: what a tool asks for, "always allow …". */
export const youAllowed = (wish: string) => `From here on: ${wish}.`;
/** A line of authority that fits no form that Vibey knows. */
export const notUnderstood = (line: string) => `Not understood, so it allows nothing: ${line}`;
export const youTookBack = (wish: string) => `You took back: ${wish}.`;
export const youEdited = (when: string) => `You edited this dialog's file, ${when}.`;
export const waitsForYou = (what: string) => `Waits for you: ${what}`;
export const toldWindow = (part: string) => `The agent was told that ${part} of its window is full.`;

/** `wish`: what a tool does, "run a command". */
export const writingCall = (wish: string) => `The agent is writing a request to ${wish}…`;
export const incompleteCall = (wish: string) => `The agent's request to ${wish} was cut off before it was complete. It didn't run.`;

export const stoppedByYou = "You stopped the agent here.";
export const interrupted =
  "Interrupted here: the page was closed, or the connection broke or fell silent. What was written is kept; Resume goes on from it.";
export const longestAnswer = "The answer reached its longest length and stops here. Continue lets the agent go on.";
export const declined = "The model declined to go on. Say it in other words, or choose another model.";
export const tooLong =
  "This dialog has grown too long for the model to read. Start a fresh dialog, or choose a model with a longer window.";
export const limitReached = (limit: string) => `A limit was reached: ${limit}.`;
export const providerFailed = (why: string) => `The provider failed: ${why}`;
export const stopped = (why: string) => `Stopped: ${why}`;

export const turnChanges = "What this turn changed";
export const show = "Show";
export const undo = "Undo";
export const redo = "Redo";
export const notUndone = (why: string) => `Not undone: ${why}`;
export const notRedone = (why: string) => `Not redone: ${why}`;
export const partDone = (why: string) => `${why} A part was done before that.`;
export const changedFiles = (files: number) => `Changed ${counted(files, "file")}`;
export const changedUndone = (files: number) => `Changed ${counted(files, "file")}, undone since`;
export const changedPartUndone = (files: number, undone: number) =>
  `Changed ${counted(files, "file")}, ${number(undone)} of them undone since`;
