import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const title = "Import agents";
export const hint =
  "Agent files of any program, a list of agents in YAML, opencode.json, or an OpenClaw folder: choose them, or drop them on this page. They appear under Found in this project, where you can adopt them.";
export const dropHere = "Drop the files here.";
export const files = "Import files or zip…";
export const folder = "Import folder…";
export const importing = "Importing…";
export const imported = (count: number) => (count === 0 ? "Nothing was imported." : `${counted(count, "file")} imported.`);
export const writtenFrom = (path: string, from: string) => `${path}, from ${from}`;
export const leftOut = (left: number) =>
  `One import reads 2,000 files. ${counted(left, "more file")} ${left === 1 ? "was" : "were"} left out, those that can't be agents first.`;
export const unused = "Not used:";
export const andMore = (count: number) => `and ${number(count)} more`;
export const nothing = "there are no files in it.";
export const tooMuch = "the files hold more than 20 MB.";
export const notImported = (why: string) => `Couldn't import: ${why}`;
export const schedules = "Their files suggest a schedule. It starts nothing until you adopt the agent:";
export const addSchedule = "Write to main";
export const added = "main has this line now.";
export const notAdded = (why: string) => `main wasn't changed: ${why}`;
