export const brand = "vibey";
export const lookingForCopy = "Looking for a copy of your project…";
export const reload = "Reload";
export const tryAgain = "Try again";
export const stop = "Stop";

export const justBegunTitle = "No project was found here";
export const justBegun =
  "The browser's storage is empty, and beside it is a copy that was begun and never finished. A first visit that broke off within seconds, by a power failure for one, leaves just that. If you had a project here, close the browser and open it again first; a zip that you exported can be imported once a project is open.";
export const emptyTitle = "Your project is not in its place";
export const empty =
  "The browser opened an empty storage. That happens when its storage was damaged, or cleared in part. Vibey has written nothing since.";
export const unreadableTitle = "Your project can't be read";
export const unreadable =
  "The browser's storage for it does not open, or contradicts itself. Closing the browser and opening it again may help: try that first, since a restore replaces what is still there. Vibey has changed nothing.";
export const goneTitle = "Your project was taken away while it was open";
export const gone = "The browser, or somebody in another tab, has removed its storage. Vibey has written nothing since.";

export const heldByTab =
  "Another tab of Vibey has a copy open, which can't be looked at meanwhile. Close Vibey's other tabs: the copy is shown here as soon as they are gone.";
/** `trouble`: why nothing can be read; null: there is no copy. */
export const noCopy = (trouble: string | null) =>
  `No second copy of it can be read here${trouble === null ? "." : ` (${trouble}).`} If you exported it, keep that zip: it can be imported once a project is open.`;

export const copyFound = "A second copy was found";
export const olderCopyFound = "An older copy was found, too";
export const docs = "Docs";
export const dialogs = "Dialogs";
export const otherFiles = "Other files";
export const size = "Size";
export const lastWritten = "Last written";
export const momentAndAgo = (moment: string, ago: string) => `${moment} (${ago})`;
export const tornEnd = "Its very end can't be read; what is listed here can.";
export const notInTheCopy = "It holds no history of the files, and nothing of node_modules.";

export const restore = "Restore this project";
export const restoring = "Restoring…";
export const restored = "Restored";
export const restoreStopped = "Stopped. Nothing was restored, and the copy is as it was.";
export const notRestored = (why: string) => `Nothing was restored: ${why}`;
export const download = "Download the copy as a zip";
export const notDownloaded = (why: string) => `The copy could not be downloaded: ${why}`;

export const beginAsNothingYet = "There was nothing yet: begin";
export const startAnew = "Start anew instead…";
export const startAnewWhat = "An empty project takes the place of this one.";
export const startAnewWithCopy =
  "An empty project takes the place of this one. The copy stays for a while, and can be downloaded in Settings until the new project has grown. Download it now if you may want it.";
export const sure = "I want to go on without my old project.";
export const startEmpty = "Start an empty project";
export const beginning = "Beginning an empty project…";
export const notBegun = (why: string) => `No new project could be begun: ${why}`;
