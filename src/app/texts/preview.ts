import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const preview = "Preview";
export const whatIsBuilt = "What your agents built";
export const starting = "Restarting…";
export const stopped = "The page is stopped. Reload to start it again.";
export const flooded = "The page was stopped because it sent too many messages. Reload to start it again.";
export const stalled = "The page isn't responding: a script is stuck in a loop. The rest of Vibey still works.";
export const stopPage = "Stop page";
export const ended = ["The preview stopped: ", { slot: "why" }] as const;
export const noPage = "No page yet. The preview shows the project's .html files.";
export const pageMissing = (path: string) => `${path} isn't in the project.`;
export const strangeQuestion = "The preview made an unknown request.";

const open = {
  navigation:
    "This browser contacts the host of any link that a page follows before the preview can stop it. The host name can carry data from your files.",
  press: "When you press a link in the page, this browser may contact the link's host. The host name can carry data from your files.",
  untested: "Vibey can't rule out that the page uses the network in this browser.",
} as const;
export const channelsOpen = (channels: readonly (keyof typeof open)[]) => channels.map((channel) => open[channel]).join(" ");
export const runQuestion = "The preview can't keep this page off the network";
export const runAnyway = "Run anyway";
export const dontRun = "Don't run";

export const page = "Page";
export const width = "Page width";
export const widthPhone = "Phone";
export const widthTablet = "Tablet";
export const widthFull = "Full width";
export const live = "Live";
export const liveHint = "Update as files change";
export const reload = "Reload";
export const fullScreen = "Full screen";
export const leaveFullScreen = "Exit full screen";
export const close = "Close";

export const consoleTitle = "Console";
export const consoleLabel = "Preview console";
export const errors = (count: number) => counted(count, "error");
export const warnings = (count: number) => counted(count, "warning");
export const error = "error";
export const warning = "warning";
export const filter = "Filter";
export const filterLabel = "Filter console";
export const levels = "Console levels";
export const allLevels = "All levels";
export const warningsAndErrors = "Warnings and errors";
export const onlyErrors = "Errors";
export const clear = "Clear";
export const gone = (lines: number, kept: number) => `${counted(lines, "earlier line")} dropped. The last ${number(kept)} are kept.`;
export const times = (count: number) => `${number(count)} times`;
export const noLine = "No matching lines.";
