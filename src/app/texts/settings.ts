import type { Part } from "./part.ts";

export const title = "Settings";
export const sections = "Parts of the settings";

export const licences = "Licences of the software in Vibey";

export const appearance = "Appearance";
export const asTheSystem = "As the system";
export const light = "Light";
export const dark = "Dark";

export const sandboxShort = "Sandbox";
export const sandbox = "What agents' commands run in";
export const sandboxWords = "Agents are told the same, word for word.";
export const sandboxNotRead = (why: string) => `It could not be read: ${why}`;

export const limits = "Limits";
export const limitsNotRead = (why: string) => `The limits could not be read: ${why}`;
export const fromVibey = "Vibey's own";
export const fromMain = "from main";
/** `limit`: a sentence. */
export const costLimit = (limit: string, spent: string) => `${limit} It has cost ${spent}.`;
export const setLimit: readonly Part<"main">[] = [
  "A line such as ",
  { code: "> Limit: agents 4" },
  " in ",
  { slot: "main", text: "main" },
  " sets another one.",
];

export const cost = "Cost";
export const costWhat: readonly Part<"cost" | "prices">[] = [
  { slot: "cost", text: "What this project cost" },
  " is reckoned from what providers report and from ",
  { slot: "prices", text: "the prices of models" },
  ", which you can set. A line such as ",
  { code: "> Limit: cost 5 a day" },
  " in main makes agents ask you before they spend more.",
];

export const notifications = "Notifications";
export const notify = "Tell me when a dialog waits for me and Vibey is out of sight";
export const notifyRefused = "Your browser refuses Vibey's notifications. Allow them in the browser's settings for this site.";
export const notifyImpossible = "This browser has no notifications for pages.";
