/** Where a tab keeps the id of its project, and a new tab finds that of the one that was opened last. */
export const currentKey = "vibey project";

/** The id of this tab's project; "" is the first one, which is there from the start. */
export function currentProject(): string {
  const kept = sessionStorage.getItem(currentKey);
  if (kept !== null) return kept;
  // From now on it is this tab's, whatever another tab opens.
  const last = localStorage.getItem(currentKey) ?? "";
  sessionStorage.setItem(currentKey, last);
  return last;
}
