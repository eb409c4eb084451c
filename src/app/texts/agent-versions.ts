export const title = (slug: string) => `Versions of ${slug}`;
export const back = "Agents";
export const hint = "A dialog keeps the version it started with. A new dialog uses the current version.";
export const edit = "Edit";
export const loading = "Loading…";
export const notRead = (why: string) => `Couldn't read the versions: ${why}`;
export const none = "No versions yet. Each change of the file becomes a version.";
export const notInHistory = (hash: string) =>
  `Version ${hash} isn't in this file's history. To see it, open the permissions of the dialog that started with it.`;
export const list = "Versions";
export const older = "Show older versions";
export const isNow = "now";
export const isRemoved = "removed";
/** `time`: "21 November 2026, 20:11". */
export const versionOf = (time: string) => `Version of ${time}`;
export const compareWith = "Compare with";
export const option = (time: string, hash: string | null, isNewest: boolean) =>
  `${time}${hash === null ? ", removed" : ` (${hash})`}${isNewest ? ", now" : ""}`;
export const same = "Both versions have the same text.";
export const onlyOne = "This is the only version.";
export const restore = "Restore this version";
export const restored = (time: string) => `Restored the version of ${time}.`;
export const notRestored = (why: string) => `Couldn't restore this version: ${why}`;
export const nothingToRestore = "The file already matches this version.";
