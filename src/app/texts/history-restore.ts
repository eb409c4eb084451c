import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const title = "Restore everything?";
export const willRead = (moment: string): readonly Part<"change">[] => [
  `Restores your docs and deed to ${moment}, right after “`,
  { slot: "change" },
  "”. Dialogs aren't affected. The current version stays in the history, so you can undo this.",
];
export const atWork = (dialogs: number): readonly Part<"names">[] => [
  { slot: "names" },
  dialogs === 1
    ? " is still working. Its changes so far are rolled back too; later ones aren't. To be safe, stop it first."
    : " are still working. Their changes so far are rolled back too; later ones aren't. To be safe, stop them first.",
];
export const notFoundOut = (why: string) => `Couldn't check what this changes: ${why}`;
export const looking = "Checking what this changes…";
export const nothingToDo = "Every file already matches this version.";
export const willChange = (files: number) => `${counted(files, "file")} will change`;
export const changedFiles = "Files that will change";
export const more = (files: number) => `and ${number(files)} more`;
export const putBack = "Restore everything";
export const leave = "Cancel";
