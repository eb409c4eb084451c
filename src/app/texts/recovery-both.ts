export const behindTitle = "Your project isn't how you left it";
export const behind =
  "The browser opened an earlier version, and the latest changes are missing. That can happen after a crash or a power failure. Vibey hasn't written anything since. You decide which version to use.";
export const otherTitle = "There are two versions of your project";
export const other =
  "What the browser opened and Vibey's backup have different histories. That can happen when a browser profile was restored from a backup and then used again. Vibey's backup is kept as it is until you decide.";
export const partialTitle = "Part of your project was damaged";
export const partial =
  "Some of its files are missing from the browser's storage, or something other than Vibey changed them there. The backup is kept as it is until you decide.";

export const sides = "What was found";
export const what = "What";
export const opened = "What opened";
export const secondCopy = "Backup";
export const remembered = "Last known";
export const lastChange = "Last change";
export const none = "none";

/** Headings of file lists, each with the number of files. */
export const onlyCopied = (count: string) => `Only in the backup: ${count}`;
export const onlyOpened = (count: string) => `Only in what opened: ${count}`;
export const differing = (count: string) => `Different in both: ${count}`;
export const more = (count: string) => `and ${count} more`;

export const keepBoth = "Keep both";
export const keepBothWhat =
  "Nothing is lost: a file that is in only one of them is kept. A file that differs is kept twice, with the backup's version under a new name. A dialog that only continues in one of them is kept once, in full.";
export const downloadCopy = "Download backup as zip";
export const noCopyToCompare = "No readable backup was found. If you exported the project, you can import that zip once it is open.";

export const keepOpened = "Keep what opened";
export const keepOpenedInstead = "Keep only what opened…";
export const keepOpenedWhat =
  "The project stays as the browser opened it. New backups are made from it. The backup that was found stays in Settings for a while, where you can download it.";
export const restoreCopy = "Restore backup";
export const restoreInstead = "Restore only the backup…";
export const restoreWhat =
  "The backup replaces what the browser opened. Files that are only there are lost, and so is node_modules, which the backup doesn't include.";
export const understood = "I understand what will be lost.";
export const olderCopy = "Older backup found";

export const merging = "Keeping both…";
export const keeping = "Keeping what opened…";
export const notDone = (why: string) => `Nothing was changed: ${why}`;

/** `at`: when its backup was last written, in words. */
export const rememberedNothingLeft = (docs: string, dialogs: string, files: string, at: string) =>
  `This browser's settings list a project with ${docs} docs, ${dialogs} dialogs, and ${files} other files, last backed up ${at}. Neither the project nor its backup is here now.`;
export const rememberedWritten =
  "This browser's settings say that a project was stored here. Neither the project nor a backup is here now.";
