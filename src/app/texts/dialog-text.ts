import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";

export const asText = (lines: number) => `as text, ${counted(lines, "line")}`;
export const copy = "Copy";
export const backToDialog = "Back to the dialog";
export const beyondEnd = (line: number, lines: number) =>
  `The link names line ${number(line)}; the file has ${counted(lines, "line")} by now.`;
export const gone = "This dialog is not there any more. Choose another in the list.";
export const theFile = "The dialog's file";
export const moreCharacters = (characters: number) => `… ${counted(characters, "more character")}`;
