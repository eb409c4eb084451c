export const behindTitle = "Your project is not as you left it";
export const behind =
  "The browser opened an earlier state of it, and what was stored last is missing. That can happen after a crash or a power failure. Nothing was written since: you decide what the project is.";
export const otherTitle = "There are two versions of your project";
export const other =
  "What the browser opened and Vibey's second copy have different histories. That can happen when a browser profile was restored from a backup and then used again. The second copy is kept as it is until you decide.";
export const partialTitle = "Part of your project was damaged";
export const partial =
  "Some of its files are missing from the browser's storage, or were changed there by something other than Vibey. The second copy is kept as it is until you decide.";

export const sides = "What was found";
export const what = "What";
export const opened = "What opened";
export const secondCopy = "Second copy";
export const remembered = "Last known";
export const lastChange = "Last change";
export const none = "none";

/** Headings of lists of files, each with how many there are. */
export const onlyCopied = (count: string) => `Only in the second copy: ${count}`;
export const onlyOpened = (count: string) => `Only in what opened: ${count}`;
export const differing = (count: string) => `Different in the two: ${count}`;
export const more = (count: string) => `and ${count} more`;

export const keepBoth = "Keep both";
export const keepBothWhat =
  "Keep both loses nothing: a file that is in only one of the two is kept, and a file that differs is kept twice, the second copy's under a new name. A dialog that only continues in one of them is kept once, with all of it.";
export const downloadCopy = "Download the copy as a zip";
export const noCopyToCompare =
  "There is no second copy that can be read. If you exported the project, that zip can be imported once it is open.";

export const keepOpened = "Keep what opened";
export const keepOpenedInstead = "Keep only what opened…";
export const keepOpenedWhat =
  "The project stays as the browser opened it. The second copy follows it from then on; the copy that was found stays for a while, and can be downloaded in Settings.";
export const restoreCopy = "Restore the second copy";
export const restoreInstead = "Restore only the second copy…";
export const restoreWhat =
  "The second copy replaces what the browser opened. What is only there is lost, and so are node_modules, which the copy does not hold.";
export const understood = "I know what I give up.";
export const olderCopy = "An older copy was found, too";

export const merging = "Keeping both…";
export const keeping = "Keeping what opened…";
export const notDone = (why: string) => `Nothing was changed: ${why}`;

/** `at`: when its copy was last written, in words. */
export const rememberedNothingLeft = (docs: string, dialogs: string, files: string, at: string) =>
  `This browser's settings remember a project of ${docs} docs, ${dialogs} dialogs and ${files} other files, last copied ${at}. Neither it nor its copy is here now.`;
export const rememberedWritten =
  "This browser's settings remember that something was stored here. Neither it nor a copy of it is here now.";
