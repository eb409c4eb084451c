import { number } from "../ui/words.ts";
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const history = "History";
export const notRead = (why: string) => `The history could not be read: ${why}`;
export const chooseCommit = "Choose on the left what you want to look at. Nothing here is ever lost.";
export const commitNote = (who: string, files: number) => `${who} · ${counted(files, "file")}`;
export const commitNoteUndone = (who: string, files: number) => `${who} · ${counted(files, "file")} · undone`;

export const onlyFile = ["Only ", { slot: "file" }] as const;
export const showEveryFile = "Show every file";
export const changesBy = "Changes by";
export const byEveryone = "everyone";
export const byYou = "you";
export const byVibey = "Vibey itself";

export const nothingChanged = "Nothing was changed yet. What you and the agents write is kept here, step by step.";
export const nothingOfFile = "This file has no history yet.";
export const nothingByThem = "They have changed nothing that the history knows of.";
export const nothingOfFileByThem = "They have not changed this file.";

export const commitMissing = "This change is not in the history. Choose another in the list.";
export const commitNotRead = (why: string) => `This change could not be read: ${why}`;
export const exactTime = (time: string) => `${time} (UTC)`;
export const noFiles = "no files";
export const undoneSince: readonly Part<"undo">[] = ["This was undone since: ", { slot: "undo", text: "see the undo" }, "."];
export const partlyUndoneSince = (files: number): readonly Part<"undo">[] => [
  `This was undone since in ${number(files)} of these files: `,
  { slot: "undo", text: "see the undo" },
  ".",
];
export const undo = "Undo this change";
export const redo = "Redo this change";
export const putEverythingBack = "Put everything back as it was here…";
export const oneMoment = "One moment…";
export const notDone = (why: string) => `Not done: ${why}`;
export const lookAtStep = "Look at it, or take it back";

export const changedFiles = "Changed files";
export const putFileBack = "Put this file back as it was here";
export const bringFileBack = "Bring this file back";
export const openFile = "Open";
export const fileHistory = "Its history";
export const changeNotRead = (why: string) => `The change could not be read: ${why}`;
export const noTextFile = "This file is no text, so there are no lines to show.";
export const emptyFile = "An empty file.";
