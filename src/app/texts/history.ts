import { number } from "../ui/format.ts";
import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const history = "History";
export const notRead = (why: string) => `Couldn't read the history: ${why}`;
export const chooseCommit = "Select a change to see it. Everything here can be restored.";
export const commitNote = (who: string, files: number) => `${who} · ${counted(files, "file")}`;
export const commitNoteUndone = (who: string, files: number) => `${who} · ${counted(files, "file")} · undone`;

export const onlyFile = ["Only ", { slot: "file" }] as const;
export const showEveryFile = "Show all files";
export const changesBy = "Changes by";
export const byEveryone = "everyone";
export const byYou = "you";
export const byVibey = "Vibey";

export const nothingChanged = "No changes yet. Every change you or an agent makes is kept here, and you can undo any of them.";
export const nothingOfFile = "This file has no history yet.";
export const nothingByThem = "No changes by this author.";
export const nothingOfFileByThem = "This author hasn't changed this file.";

export const commitMissing = "This change isn't in the history. Select another one.";
export const commitNotRead = (why: string) => `Couldn't read this change: ${why}`;
export const exactTime = (time: string) => `${time} (UTC)`;
export const noFiles = "no files";
export const undoneSince: readonly Part<"undo">[] = ["This change was undone: ", { slot: "undo", text: "view undo" }, "."];
export const partlyUndoneSince = (files: number): readonly Part<"undo">[] => [
  `Undone in ${number(files)} of these files: `,
  { slot: "undo", text: "view undo" },
  ".",
];
export const undo = "Undo this change";
export const redo = "Redo this change";
export const putEverythingBack = "Restore everything to this point…";
export const oneMoment = "Working…";
export const notDone = (why: string) => `Couldn't do this: ${why}`;
export const lookAtStep = "Review, undo, or restore";

export const changedFiles = "Changed files";
export const putFileBack = "Restore this version";
export const bringFileBack = "Restore this file";
export const openFile = "Open";
export const fileHistory = "File history";
export const changeNotRead = (why: string) => `Couldn't read the change: ${why}`;
export const noTextFile = "This isn't a text file, so there's nothing to compare.";
export const emptyFile = "Empty file.";
