import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const title = "Open a zip";
export const theZip = "The zip";
export const chooseWhat =
  "One that Vibey has exported, or any other. You see what is inside before anything is taken, and nothing in it runs by itself. You can also drop it on the page.";
export const looking = (name: string) => `Looking into ${name}…`;
export const tooLarge = "It is larger than 512 MB, and those are the most that is opened.";
export const refused: readonly Part<"zip" | "why">[] = [{ slot: "zip" }, " was refused, all of it. ", { slot: "why" }];
export const entryIsCalled: readonly Part<"entry">[] = ["In the zip it is called ", { slot: "entry" }, "."];
export const nothingTaken = "Nothing was taken. Your project is as it was.";
/** The name of a project whose zip has none. */
export const namelessProject = "From a zip";

export const whatIsInside = "What is inside";
export const empty = "Nothing: the zip is empty.";
/** "2 docs, 1 dialog and 14 files of the deed, 1.2 MB." */
export function inside(docs: number, dialogs: number, deed: number, size: string): string {
  const parts = [
    ...(docs > 0 ? [counted(docs, "doc")] : []),
    ...(dialogs > 0 ? [counted(dialogs, "dialog")] : []),
    ...(deed > 0 ? [`${counted(deed, "file")} of the deed`] : []),
  ];
  const last = parts.pop() ?? "";
  return `${parts.length > 0 ? `${parts.join(", ")} and ` : ""}${last}, ${size}.`;
}
export const historyNone = "No history is in it.";
export const historyWhole = (commits: number) => `Its history is in it: ${counted(commits, "commit")}.`;
export const historyOut = (why: string) => `Its history stays out: it ${why}.`;

export const filesTitle = "The files";
export const docsTitle = "Docs";
export const dialogsTitle = "Dialogs";
export const deedTitle = "The deed";
export const youHaveIt = "you have it";
export const inTheWay = "in the way";
export const staysOut = "stays out";
export const andMore = (count: string) => `and ${count} more`;

export const inactiveWhat = "What was made inactive";
export const inactive = "Made inactive";
export const inactiveLines = "Lines that were made inactive";
export const inactiveWhy = (lines: number) =>
  lines === 1
    ? "This line lets agents do something, and a zip does not tell who wrote it."
    : "These lines let agents do something, and a zip does not tell who wrote them.";
export const tooManyLines =
  "They are too many to be accepted here. Accept those of a dialog in its details, and those of main in the editor.";
export const linesAreMine = "They are mine: let them count.";
export const linesLater = "Else you can accept those of a dialog in its details, and those of main in the editor.";
export const undecided = (calls: number) => `${counted(calls, "call")} that had been approved and had not run will be asked about again.`;
export const interrupted = (dialogs: number) => `In ${counted(dialogs, "dialog")} an agent was at work. It waits for you now.`;

export const whereTo = "Where is it to go?";
export const intoNew = "Into a project of its own";
export const intoNewWhat = (withHistory: boolean) =>
  withHistory ? "The one that is open stays as it is. The history comes along." : "The one that is open stays as it is.";
export const intoHere = "Into the project that is open";
export const intoHereWhat = (withHistory: boolean) =>
  withHistory
    ? "As one change, that the history can undo. Dialogs are added, and none is overwritten. Its history stays out: two can't be one."
    : "As one change, that the history can undo. Dialogs are added, and none is overwritten.";
export const whichToKeep = (files: number) => `${counted(files, "file")} of yours may be in the way. Which is to be kept?`;
export const mine = "Mine";
export const mineWhat = "What is in the zip under these names stays out.";
export const theirs = "Theirs";
export const theirsWhat = "Yours are in the history as they were. Of dialogs both are kept.";
export const both = "Both";
export const bothWhat = "Theirs get a number behind the name.";
export const filesInTheWay = "Files in the way";
export const twoRepositories = "Both have a repository (.git) of their own at the same place. Yours stays as it is.";

export const lookAgain = "Look inside again";
export const makeProject = "Make the project";
export const makingProject = "Making the project…";
export const takeIn = "Take it in";
export const takingIn = "Taking it in…";
export const leaveIt = "Leave it";
export const stopped = "It was stopped. Nothing was taken.";

export const done = "Done";
export const cameIn = (files: number) => `${counted(files, "file")} came in.`;
export const tookPlace = (files: number) => `${counted(files, "file")} took the place of yours; the history has them as they were.`;
export const underAnotherName = (files: number) => `${counted(files, "file")} came in under another name.`;
export const keptYours = (files: number) => `${counted(files, "file")} stayed out: yours is kept.`;
export const hadAlready = (files: number) => `${counted(files, "file")} you had already.`;
export const projectMade = (files: number) =>
  `The project is made, with ${counted(files, "file")}. The one that is open stays as it is; the Project menu leads from one to the other.`;
export const goToNew = "Go to the new project";
export const stayHere = "Stay here";
