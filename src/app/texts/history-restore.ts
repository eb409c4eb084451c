import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const title = "Put everything back?";
export const willRead = (moment: string): readonly Part<"change">[] => [
  `The docs and the deed will read as they did on ${moment}, after “`,
  { slot: "change" },
  "”. Dialogs stay as they are. What is there now stays in the history, so this can be undone too.",
];
export const atWork = (dialogs: number): readonly Part<"names">[] => [
  { slot: "names" },
  dialogs === 1
    ? " is at work: what was written up to now is put back too, what is written afterwards stays. To be sure, stop it first."
    : " are at work: what was written up to now is put back too, what is written afterwards stays. To be sure, stop them first.",
];
export const notFoundOut = (why: string) => `What this changes could not be found out: ${why}`;
export const looking = "Looking what this changes…";
export const nothingToDo = "Every file reads like that already.";
export const willChange = (files: number) => `${counted(files, "file")} will read otherwise`;
export const changedFiles = "Files that will read otherwise";
export const more = (files: number) => `and ${number(files)} more`;
export const putBack = "Put everything back";
export const leave = "Leave it as it is";
