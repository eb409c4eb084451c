export const title = "Storage";
export const kept = "The browser keeps this project until you delete it.";
export const mayBeCleared = "The browser may clear this project when the disk gets full. Export it now and then.";
export const takes = (size: string) => `Vibey takes ${size}.`;
export const neverExported = "It was never exported.";
export const lastExported = (ago: string) => `It was last exported ${ago}.`;
export const wasAsked = (ago: string) =>
  `The browser was asked to keep it ${ago}, and did not agree. Some do once the page is bookmarked or installed.`;
export const askToKeep = "Ask the browser to keep it";
export const privateWindows =
  "A private window forgets everything when it is closed. Safari deletes what a site has stored after seven days without a visit, unless Vibey was added to the Dock or the home screen.";

export const copyToCome = "A second copy of the project is about to be written.";
export const copyWritten = (ago: string, size: string) =>
  `A second copy of the project was written ${ago} (${size}): should the first be damaged, it is offered to you. It holds no history of the files, and nothing of node_modules.`;
export const noCopyNow = (why: string) => `A second copy can't be written now: ${why}. Everything else works.`;
export const lostBytes = (paths: readonly string[]) =>
  `These files have lost bytes in the browser's storage: ${paths.join(", ")}. The second copy may hold them as they were.`;
export const downloadCopy = "Download the second copy";
export const notDownloaded = (why: string) => `The copy could not be downloaded: ${why}`;
export const earlierCopy = (moment: string) => `The copy of the project that was here before, of ${moment}, is still there.`;
export const earlierOwnCopy = (moment: string) => `A copy of this project of ${moment} has files that are not in it now.`;
export const downloadEarlier = "Download it";
