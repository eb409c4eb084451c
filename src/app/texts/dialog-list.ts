import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const dialogs = "Dialogs";
export const loading = "…";
export const noDialogs = "No dialogs yet.";
export const noneOfThatName = "No dialog has this in its name.";
export const filterDialogs = "Filter dialogs";
export const filterHint = "Filter";
export const newDialog = "New dialog";
export const newDialogName = "Name of the dialog";
export const nameMissing = "Give the dialog a name.";
export const notCreated = (why: string) => `Not created: ${why}`;
/** Leads from an open dialog to all of them. */
export const toOverview = "Overview";

export const nothingRuns = "Nothing runs yet";
export const whatAgentDoes = "An agent reads what you wrote in main and begins. It asks before it does anything.";
export const start = "Start";

export const groupOf = (title: string, count: number) => `${title} · ${number(count)}`;
export const launchedBy = (slug: string) => `launched by ${slug}`;
export const tokensUsed = (tokens: number) => `${number(tokens)} tokens`;

export const deleted = (slug: string) => `${slug} is deleted.`;
export const undoDelete = "Undo";
export const notDeleted = (slug: string, why: string) => `${slug} was not deleted: ${why}`;
export const notDeletedAtWork = (slug: string, why: string) => `${slug} was not deleted: ${why} Stop it first.`;
export const notBroughtBack = (slug: string, why: string) => `${slug} could not be brought back: ${why}`;

export const stopAll = "Stop all";
export const stopAllHint = (agents: number) =>
  `Stops ${counted(agents, "agent")} at once. That can't be undone, but each can be asked to go on.`;
export const noneAtWork = "No agent was at work any more.";
export const stopped = (agents: number) =>
  `${counted(agents, "agent")} stopped. What they wrote is kept, and each goes on when you say so.`;
export const notStopped = (why: string) => `The agents could not be stopped: ${why}`;

export const resumeAll = "Resume all";
export const resumeAllHint = (agents: number) => `Asks the ${counted(agents, "agent")} that were interrupted to go on.`;
export const notResumed = (slug: string, why: string) => `${slug} could not go on: ${why}`;
