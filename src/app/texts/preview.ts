import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const preview = "Preview";
export const whatIsBuilt = "What the agents have built";
export const starting = "Starting anew…";
export const stopped = "The page was stopped. Reload starts it anew.";
export const flooded = "The page was stopped: it sent more messages than can be read. Reload starts it anew.";
export const stalled = "The page does not answer: a script in it goes on without a pause. Everything else works on.";
export const stopPage = "Stop the page";
export const ended = ["The preview stopped: ", { slot: "why" }] as const;
export const noPage = "There is no page yet: no file whose name ends in .html.";
export const pageMissing = (path: string) => `${path} is not among the project's files.`;
export const strangeQuestion = "The preview's frame asked for something that there is not.";

const open = {
  navigation:
    "This browser contacts the host of any address that a page leads to, before the preview can stop it. The host's name can carry data from your files.",
  press: "While you press a link in the page, this browser may contact the link's host. The host's name can carry data from your files.",
  untested: "It has not been tested that the page can reach no network in this browser.",
} as const;
export const channelsOpen = (channels: readonly (keyof typeof open)[]) => channels.map((channel) => open[channel]).join(" ");
export const runQuestion = "The preview can't keep this page off the network";
export const runAnyway = "Run anyway";
export const dontRun = "Don't run";

export const page = "Page";
export const width = "Width of the page";
export const widthPhone = "Phone";
export const widthTablet = "Tablet";
export const widthFull = "Full width";
export const live = "Live";
export const liveHint = "Show changes of the files as they are made";
export const reload = "Reload";
export const fullScreen = "Full screen";
export const leaveFullScreen = "Leave full screen";
export const close = "Close";

export const consoleTitle = "Console";
export const consoleLabel = "Console of the preview";
export const errors = (count: number) => counted(count, "error");
export const warnings = (count: number) => counted(count, "warning");
export const error = "error";
export const warning = "warning";
export const filter = "Filter";
export const filterLabel = "Filter the console";
export const levels = "Levels of the console";
export const allLevels = "All levels";
export const warningsAndErrors = "Warnings and errors";
export const onlyErrors = "Errors";
export const clear = "Clear";
export const gone = (lines: number, kept: number) =>
  `${counted(lines, "earlier line")} ${lines === 1 ? "is" : "are"} gone: the last ${number(kept)} are kept.`;
export const times = (count: number) => `${number(count)} times`;
export const noLine = "No line fits the filter.";
