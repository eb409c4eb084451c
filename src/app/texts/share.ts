import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const title = "Shared with Vibey";
export const noRoom =
  "The last item you shared wasn't saved: it couldn't be read, or there wasn't enough space. Deal with the items below, then share it again.";
export const notRead = (why: string) => `Couldn't read what was shared: ${why}`;
export const looking = "Loading…";
export const nothingWaits = "Nothing here.";
export const nameAndSize = (size: string): readonly Part<"name">[] => [{ slot: "name" }, `, ${size}`];
export const moreCharacters = (count: number) => `and ${counted(count, "character")} more`;

export const nameOfDoc = "Doc name";
export const makeDoc = "Create doc";
export const docExists = "A doc with that name already exists.";
export const notMain = "main can give agents permissions, so a shared text can't become main. Choose another name.";
export const beginDialog = "Start a dialog";
export const notBegun = (why: string) => `Couldn't start the dialog: ${why}`;
export const lookInside = "Import…";
export const putIntoDeed = "Add to deed";
export const fileExists = (name: string) => `A file named ${name} already exists.`;
export const notStored = (why: string) => `Couldn't save: ${why}`;
export const throwAway = "Discard";
