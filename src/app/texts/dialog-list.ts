import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const dialogs = "Dialogs";
export const loading = "…";
export const noDialogs = "No dialogs yet.";
export const noneOfThatName = "No matching dialogs.";
export const filterDialogs = "Filter dialogs";
export const filterHint = "Filter";
export const newDialog = "New dialog";
export const newDialogName = "Dialog name";
export const asRoom = "Room: only agents I mention answer";
export const nameMissing = "Enter a name.";
export const notCreated = (why: string) => `Couldn't create the dialog: ${why}`;
/** Leads from an open dialog to the list of all dialogs. */
export const toOverview = "Overview";

export const nothingRuns = "No agents yet";
export const whatAgentDoes = "Start an agent. It reads your main doc and asks before it runs a command or changes a file.";
export const start = "Start";

export const groupOf = (title: string, count: number) => `${title} · ${number(count)}`;
export const launchedBy = (slug: string) => `launched by ${slug}`;
export const answersMention = (slug: string) => `answers a mention in ${slug}`;
export const tokensUsed = (tokens: number) => `${number(tokens)} tokens`;

export const deleted = (slug: string) => `Deleted ${slug}.`;
export const undoDelete = "Undo";
export const notDeleted = (slug: string, why: string) => `Couldn't delete ${slug}: ${why}`;
export const notDeletedAtWork = (slug: string, why: string) => `Couldn't delete ${slug}: ${why} Stop it first.`;
export const notBroughtBack = (slug: string, why: string) => `Couldn't restore ${slug}: ${why}`;

export const stopAll = "Stop all";
export const stopAllHint = (agents: number) => `Stops ${counted(agents, "agent")} now. You can continue each one later.`;
export const noneAtWork = "No agents were running.";
export const stopped = (agents: number) =>
  `Stopped ${counted(agents, "agent")}. Everything written so far is kept. Continue any of them when you're ready.`;
export const notStopped = (why: string) => `Couldn't stop the agents: ${why}`;

export const resumeAll = "Continue all";
export const resumeAllHint = (agents: number) => `Continues ${counted(agents, "interrupted agent")}.`;
export const notResumed = (slug: string, why: string) => `Couldn't continue ${slug}: ${why}`;
