import { number } from "../ui/sizes.ts";
import { counted } from "./counted.ts";

export const log = "Log";
export const filters = "Filter the log";
export const agent = "Agent";
export const type = "Type";
export const tool = "Tool";
export const severity = "Severity";
export const all = "All";
export const severities = { info: "info", warning: "warning", error: "error" } as const;
export const exportRun = "Export";
export const exportLog = "Export event log";
export const download = "Download workspace";
export const exported = "Saved the event log.";
export const notExported = (why: string) => `Couldn't export the event log: ${why}`;
export const notRead = (why: string) => `Couldn't read the log: ${why}`;
export const none = "Nothing in the log matches.";
export const loading = "Loading…";

export const done = "done";
export const failed = "failed";
export const signal = (from: string, message: string) => `from ${from}: ${message}`;
export const redefined = "Its file was changed. The agent has the new instructions from here on.";
export const toUser = (message: string) => `to you: ${message}`;
export const tokens = (count: number) => `${number(count)} tokens`;
export const turnChanged = (files: number, summary: string) => `the turn changed ${counted(files, "file")}: ${summary}`;
