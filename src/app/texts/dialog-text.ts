import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";

export const asText = (lines: number) => `plain text, ${counted(lines, "line")}`;
export const copy = "Copy";
export const backToDialog = "Back to dialog";
export const beyondEnd = (line: number, lines: number) =>
  `This link points to line ${number(line)}, but the file now has ${counted(lines, "line")}.`;
export const placeGone = "This link points to a part of the dialog that isn't there anymore.";
export const gone = "This dialog no longer exists. Select another one.";
export const theFile = "Dialog file";
export const moreCharacters = (characters: number) => `… ${counted(characters, "more character")}`;
