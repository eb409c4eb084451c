import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const title = "Handed over to Vibey";
export const noRoom =
  "The last thing that was shared was not kept: there was no room for it, or it could not be read. Decide about what waits here, then share it again.";
export const notRead = (why: string) => `What was handed over can't be read: ${why}`;
export const looking = "Looking…";
export const nothingWaits = "Nothing waits here.";
export const nameAndSize = (size: string): readonly Part<"name">[] => [{ slot: "name" }, `, ${size}`];
export const moreCharacters = (count: number) => `and ${counted(count, "character")} more`;

export const nameOfDoc = "Name of the doc";
export const makeDoc = "Make it a doc";
export const docExists = "There is a doc of that name already.";
export const beginDialog = "Begin a dialog with it";
export const notBegun = (why: string) => `Not begun: ${why}`;
export const lookInside = "Look inside…";
export const putIntoDeed = "Put it into the deed";
export const fileExists = (name: string) => `There is a file of the name ${name} already.`;
export const notStored = (why: string) => `Not stored: ${why}`;
export const throwAway = "Throw it away";
