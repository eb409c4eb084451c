import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const title = "Find anything";
export const label = "Find a command, a dialog, a doc or a file";
export const hint = "Find anything";
export const found = "What was found";
export const nothing = "Nothing has this in its name. Docs and dialogs can be searched by their text in Docs.";
export const best = (most: number) => `The best ${number(most)}.`;
export const results = (count: number) => counted(count, "result");
export const doc = "doc";
export const file = "file";
export const on = "on";
export const off = "off";
