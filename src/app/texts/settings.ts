import { number } from "../ui/format.ts";
import type { Part } from "./part.ts";

export const title = "Settings";
export const sections = "Settings sections";

export const licences = "Licenses of the software in Vibey";

export const appearance = "Appearance";
export const asTheSystem = "System";
export const light = "Light";
export const dark = "Dark";

export const sandboxShort = "Sandbox";
export const sandbox = "Sandbox";
export const sandboxWords = "Agents get this same text.";
export const sandboxNotRead = (why: string) => `Couldn't load the sandbox description: ${why}`;

export const limits = "Limits";
export const limitsNotRead = (why: string) => `Couldn't load the limits: ${why}`;
export const fromVibey = "default";
export const fromMain = "set in main";
/** `limit`: a sentence. */
export const costLimit = (limit: string, spent: string) => `${limit} Spent so far: ${spent}.`;
export const runLimits = (run: { readonly agents: number; readonly depth: number; readonly fanout: number; readonly tokens: number }) =>
  `In a run of agents: up to ${number(run.tokens)} tokens, ${run.agents} agents at one time, ${run.fanout} started by one agent, depth ${run.depth}.`;
export const setLimit: readonly Part<"main">[] = [
  "To change a limit, add a line such as ",
  { code: "> Limit: agents 4" },
  " or ",
  { code: "> Limit: tokens 500000 a run" },
  " to ",
  { slot: "main", text: "main" },
  ".",
];

export const cost = "Cost";
export const costWhat: readonly Part<"cost" | "prices">[] = [
  { slot: "cost", text: "Project cost" },
  " is calculated from the usage that providers report and ",
  { slot: "prices", text: "model prices" },
  ", which you can edit. To make agents ask before spending more, add a line such as ",
  { code: "> Limit: cost 5 a day" },
  " to main.",
];

export const yourName = "Your name";
export const owner = "Owner";
export const nameHint = "Agents that you mention are told it, as the owner of the project. It stays in this browser.";
export const nameSaved = "Saved.";
export const nameNotRead = (why: string) => `Couldn't read your name: ${why}`;
export const nameNotSaved = (why: string) => `Couldn't save your name: ${why}`;
export const notifications = "Notifications";
export const notify = "Notify me when a dialog is waiting for me and Vibey is in the background";
export const notifyRefused = "Your browser blocks notifications from Vibey. Allow them in the browser's settings for this site.";
export const notifyImpossible = "This browser doesn't support notifications.";
