export const title = "Storage";
export const kept = "The browser keeps this project until you delete it.";
export const mayBeCleared = "The browser may delete this project if the disk fills up. Export it regularly.";
export const takes = (size: string) => `Vibey uses ${size}.`;
export const neverExported = "You've never exported it.";
export const lastExported = (ago: string) => `You last exported it ${ago}.`;
export const wasAsked = (ago: string) =>
  `Vibey asked the browser to keep this project ${ago}. It declined. Some browsers agree once you bookmark or install the page.`;
export const askToKeep = "Ask the browser to keep it";
export const privateWindows =
  "Private windows delete everything when you close them. Safari deletes a site's data after seven days without a visit, unless you add Vibey to the Dock or Home Screen.";

export const copyNotRead = (why: string) => `Couldn't check for a backup: ${why}`;
export const copyToCome = "A backup will be saved shortly.";
export const copyWritten = (ago: string, size: string) =>
  `Backup saved ${ago} (${size}). If the project is ever damaged, Vibey offers to restore it. Doesn't include file history or node_modules.`;
export const noCopyNow = (why: string) => `Can't save a backup right now: ${why}. Everything else works.`;
export const lostBytes = (paths: readonly string[]) =>
  `Some data in these files is missing from the browser's storage: ${paths.join(", ")}. The backup may still have it.`;
export const downloadCopy = "Download backup";
export const notDownloaded = (why: string) => `Couldn't download the backup: ${why}`;
export const earlierCopy = (moment: string) => `A backup of the previous project here, from ${moment}, is still available.`;
export const earlierOwnCopy = (moment: string) => `A backup of this project from ${moment} has files that are missing or different now.`;
export const downloadEarlier = "Download";
