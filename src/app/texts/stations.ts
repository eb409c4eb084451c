import type { Shape } from "../overview/states.ts";
import type { Station } from "../stations/station.ts";
import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const title = "Stations";
export const names: Readonly<Record<Station, string>> = {
  bookshelf: "Bookshelf",
  desk: "Desk",
  workbench: "Workbench",
  scanner: "Scanner",
  center: "Center",
  terminal: "Terminal",
  antenna: "Antenna",
  portal: "Portal",
  taskboard: "Taskboard",
};
export const purposes: Readonly<Record<Station, string>> = {
  bookshelf: "reads",
  desk: "writes",
  workbench: "edits",
  scanner: "searches",
  center: "thinks, waits",
  terminal: "runs commands",
  antenna: "fetches",
  portal: "launches",
  taskboard: "plans",
};
export const needYou = (agents: number) => (agents === 1 ? "1 needs you." : `${number(agents)} need you.`);
export const noneNeedsYou = "No agent needs you.";
const words: Readonly<Record<Exclude<Shape, "asks">, string>> = {
  error: "failed",
  running: "running",
  queued: "queued",
  stopped: "stopped",
  waits: "idle",
  done: "ended",
};
/** "5 running, 1 queued." */
export const others = (counts: readonly (readonly [Exclude<Shape, "asks">, number])[]) =>
  counts.length === 0 ? "" : `${counts.map(([shape, count]) => `${number(count)} ${words[shape]}`).join(", ")}.`;
export const outside = "outside";
export const outsideVibey = "outside Vibey";
export const runsIn = (framework: string) => `outside Vibey, in ${framework}`;
export const caption = "Agents, those that need you first";
export const agent = "Agent";
export const state = "State";
export const station = "Station";
export const workingOn = "Working on";
export const since = "Since";
export const cost = "Cost";
export const noneTitle = "No agents at work";
export const none =
  "Start a dialog, or connect an agent that runs outside Vibey, such as Claude Code: Settings has the steps under Agents outside.";
export const connect = "Open Settings";
export const agentsThere = (agents: number, asking: number) =>
  `${counted(agents, "agent")}${asking === 0 ? "" : `, ${number(asking)} ${asking === 1 ? "asks" : "ask"} you`}`;
export const more = (agents: number) => `And ${counted(agents, "agent")} more, in Dialogs.`;
export const live = "Live";
export const back = "Back to now";
export const eventOf = (nth: number, of: number) => `Event ${number(nth)} of ${number(of)}`;
export const earlier = "Load earlier events";
export const notRead = (why: string) => `The events can't be read: ${why}`;
