/** The key under which a tab keeps its project's id, and a new tab finds the id of the project that was opened last. */
export const currentKey = "vibey project";

/** The id of this tab's project. "" is the first project, which exists from the start. */
export function currentProject(): string {
  const kept = sessionStorage.getItem(currentKey);
  if (kept !== null) return kept;
  // From now on this is the tab's project, whatever other tabs open.
  const last = localStorage.getItem(currentKey) ?? "";
  sessionStorage.setItem(currentKey, last);
  return last;
}
