export const brand = "vibey";
export const lookingForCopy = "Looking for a backup of your project…";
export const reload = "Reload";
export const tryAgain = "Try again";
export const stop = "Stop";

export const justBegunTitle = "No project found";
export const justBegun =
  "This browser's storage is empty, and next to it is a backup that was never finished. That happens when a first visit ends within seconds, for example in a power failure. If you had a project here, close the browser and open it again first. You can import an exported zip once a project is open.";
export const emptyTitle = "Your project is missing";
export const empty =
  "The browser opened empty storage. That can happen when storage is damaged or partly cleared. Vibey hasn't written anything since.";
export const unreadableTitle = "Couldn't read your project";
export const unreadable =
  "The browser's storage for this project won't open or is inconsistent. Close the browser and open it again first: restoring replaces what's still there. Vibey hasn't changed anything.";
export const goneTitle = "Your project's storage was deleted while it was open";
export const gone = "The browser or another tab deleted it. Vibey hasn't written anything since.";

export const heldByTab = "Another Vibey tab has a backup open. Close your other Vibey tabs and the backup will appear here.";
/** `trouble`: why nothing can be read; null: there is no backup. */
export const noCopy = (trouble: string | null) =>
  `No readable backup was found${trouble === null ? "." : ` (${trouble}).`} If you exported the project, keep that zip. You can import it once a project is open.`;

export const copyFound = "Backup found";
export const olderCopyFound = "Older backup found";
export const docs = "Docs";
export const dialogs = "Dialogs";
export const otherFiles = "Other files";
export const size = "Size";
export const lastWritten = "Last saved";
export const momentAndAgo = (moment: string, ago: string) => `${moment} (${ago})`;
export const tornEnd = "The last part of this backup is unreadable. Everything listed here can be restored.";
export const notInTheCopy = "Doesn't include file history or node_modules.";

export const restore = "Restore project";
export const restoring = "Restoring…";
export const restored = "Restored";
export const restoreStopped = "Stopped. Nothing was restored, and the backup is unchanged.";
export const notRestored = (why: string) => `Couldn't restore the project: ${why}`;
export const download = "Download backup as zip";
export const notDownloaded = (why: string) => `Couldn't download the backup: ${why}`;

export const beginAsNothingYet = "I had no project here: start";
export const startAnew = "Start over instead…";
export const startAnewWhat = "This replaces your project with an empty one.";
export const startAnewWithCopy =
  "This replaces your project with an empty one. The backup stays in Settings for a while, until the new project has grown. Download it now if you might need it.";
export const sure = "I want to continue without my old project.";
export const startEmpty = "Start an empty project";
export const beginning = "Creating an empty project…";
export const notBegun = (why: string) => `Couldn't create a new project: ${why}`;
