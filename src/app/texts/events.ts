import type { Severity } from "../../dialog/events/model.ts";
import type { LogEventType } from "../../protocol/index.ts";

export const changes = "Changes";
export const events = "Events";
export const pages = "Changes and events";

export const dialog = "Dialog";
export const kind = "Kind";
export const tool = "Tool";
export const severity = "Severity";
export const filters = "Filters";
export const all = "All";
export const clear = "Clear filters";

export const groups = { conversation: "Conversation", tools: "Tools", files: "Files", dialogs: "Dialogs", responses: "Responses" } as const;
export const kinds: Readonly<Record<LogEventType, string>> = {
  activation: "Started",
  message: "Messages to the agent",
  request: "Requests to the provider",
  text: "Messages from the agent",
  tool_call: "Tool requests",
  approval: "Approvals and denials",
  tool_result: "Tool results",
  file_change: "Files written by a tool",
  spawn: "Launched agents",
  definition: "Agent files in use",
  reply: "Answers of mentioned agents",
  resolved: "Summaries of forks",
  signal: "Messages from agents to the agent that started them",
  pause: "Pauses of runs",
  resume: "Runs that continue",
  waiting: "Questions to you",
  authority: "Permissions and limits",
  window: "Continued from a summary",
  forked: "Forks",
  usage: "Tokens and cost",
  dialog_replaced: "Edits of the dialog file",
  abort: "Stopped",
  error: "Errors",
  warning: "Warnings",
  complete: "Finished",
  commit: "Changes of files",
};
export const severities: Readonly<Record<Severity, string>> = { info: "Information", warning: "Warning", error: "Error" };

export const outside = (agent: string, framework: string) => `${agent} (${framework})`;
export const youOn = (device: string) => `You on ${device}`;

export const exactly = (time: string) => `${time} (UTC)`;
export const notExactly = (time: string) => `No time was recorded. The last one before it: ${time} (UTC)`;
export const noTime = "No time was recorded.";

export const exportJson = "Export as JSON";
export const exporting = "Exporting…";
export const exported = "Exported the events.";
export const notExported = (why: string) => `Couldn't export the events: ${why}`;
export const notRead = (why: string) => `Couldn't read the events: ${why}`;
export const loading = "Reading the events…";
export const nothingYet = "No events yet. What you, agents, and Vibey do appears here as it happens.";
export const noneMatch = "No events match these filters.";
