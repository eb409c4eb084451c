import { counted } from "./counted.ts";
import type { Part } from "./part.ts";

export const title = "Import zip";
export const theZip = "Zip file";
export const chooseWhat =
  "Choose a Vibey export or any other zip, or drop one on the page. You'll see what's inside before anything is imported, and nothing in it runs by itself.";
export const looking = (name: string) => `Reading ${name}…`;
export const tooLarge = "This zip is too large. The limit is 512 MB.";
export const refused: readonly Part<"zip" | "why">[] = [{ slot: "zip" }, " can't be imported. ", { slot: "why" }];
export const entryIsCalled: readonly Part<"entry">[] = ["In the zip, it's called ", { slot: "entry" }, "."];
export const nothingTaken = "Nothing was imported. Your project is unchanged.";
/** The name of a project whose zip has none. */
export const namelessProject = "Imported project";

export const whatIsInside = "Contents";
export const empty = "This zip is empty.";
/** "2 docs, 1 dialog, and 14 deed files, 1.2 MB." */
export function inside(docs: number, dialogs: number, deed: number, size: string): string {
  const parts = [
    ...(docs > 0 ? [counted(docs, "doc")] : []),
    ...(dialogs > 0 ? [counted(dialogs, "dialog")] : []),
    ...(deed > 0 ? [counted(deed, "deed file")] : []),
  ];
  const last = parts.pop() ?? "";
  return `${parts.length > 0 ? `${parts.join(", ")}${parts.length > 1 ? "," : ""} and ` : ""}${last}, ${size}.`;
}
export const historyNone = "No history included.";
export const historyWhole = (commits: number) => `Includes history: ${counted(commits, "commit")}.`;
export const historyOut = (why: string) => `Its history can't be imported: it ${why}.`;

/** `names`: the first few of them. */
export const agentsInside = (count: number, names: readonly string[]) =>
  `${counted(count, "agent")} of other programs: ${names.join(", ")}${count > names.length ? ", …" : ""}. You can adopt ${count === 1 ? "it" : "them"} after the import.`;
/** Agents that belong to the project after the import. */
export const ownAgentsInside = (count: number, names: readonly string[]) =>
  `${counted(count, "agent")} in this zip: ${names.join(", ")}${count > names.length ? ", …" : ""}. They ask before they read files, unless you turn that on here.`;
export const showAgents = "Show agents";
export const filesTitle = "Files";
export const docsTitle = "Docs";
export const dialogsTitle = "Dialogs";
export const deedTitle = "Deed";
export const youHaveIt = "identical";
export const inTheWay = "conflict";
export const staysOut = "skipped";
export const andMore = (count: string) => `and ${count} more`;

export const inactiveWhat = "Turned off";
export const inactive = "Turned off";
export const inactiveLines = "Lines turned off";
export const inactiveWhy = (lines: number) =>
  lines === 1
    ? "This line gives agents a permission, and a zip can't prove who wrote it."
    : "These lines give agents permissions, and a zip can't prove who wrote them.";
export const tooManyLines =
  "There are too many to accept here. Accept a dialog's lines in its permissions, main's lines in the editor, and an agent's tools in its file.";
export const linesAreMine = "I wrote these. Turn them on.";
export const linesLater =
  "You can also do this later: a dialog's lines in its permissions, main's lines in the editor, an agent's tools in its file.";
export const undecided = (calls: number) => `${counted(calls, "call")} approved but not run will need your approval again.`;
export const interrupted = (dialogs: number) => `Agents were working in ${counted(dialogs, "dialog")}. They're waiting for you now.`;

export const whereTo = "Import into";
export const intoNew = "A new project";
export const intoNewWhat = (withHistory: boolean) =>
  withHistory ? "Includes the history. The open project isn't affected." : "The open project isn't affected.";
export const intoHere = "This project";
export const intoHereWhat = (withHistory: boolean) =>
  withHistory
    ? "Imported as one change that you can undo. No dialog is overwritten. The zip's history isn't imported, because histories can't be merged."
    : "Imported as one change that you can undo. No dialog is overwritten.";
export const whichToKeep = (files: number) => `${counted(files, "file")} of yours may conflict. Which version do you want to keep?`;
export const mine = "Mine";
export const mineWhat = "Files with the same name aren't imported.";
export const theirs = "The zip's";
export const theirsWhat = "Your versions stay in the history. Both versions of a dialog are kept.";
export const both = "Both";
export const bothWhat = "Imported files get a number after their name.";
export const filesInTheWay = "Conflicting files";
export const twoRepositories = "Both contain a .git repository in the same place. Yours is kept.";

export const lookAgain = "Check again";
export const makeProject = "Create project";
export const makingProject = "Creating project…";
export const takeIn = "Import";
export const takingIn = "Importing…";
export const leaveIt = "Cancel";
export const stopped = "Stopped. Nothing was imported.";

export const done = "Done";
export const cameIn = (files: number) => `${counted(files, "file")} imported.`;
export const tookPlace = (files: number) => `${counted(files, "file")} replaced yours. Your versions are in the history.`;
export const underAnotherName = (files: number) => `${counted(files, "file")} imported under another name.`;
export const keptYours = (files: number) => `${counted(files, "file")} skipped; yours kept.`;
export const hadAlready = (files: number) => `${counted(files, "file")} already in your project.`;
export const projectMade = (files: number) =>
  `Project created with ${counted(files, "file")}. The open project isn't affected. Switch between them in the Project menu.`;
export const goToNew = "Open new project";
export const stayHere = "Stay here";
