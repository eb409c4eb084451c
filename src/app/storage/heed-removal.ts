import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/removal.ts";
import { endRemoval, removalKey, removalTrouble, removalWanted } from "./removal.ts";

/**
 * Tells a user who is working here that another tab is waiting to remove everything, and how to prevent it; or that nothing was removed. Returns a
 * function that stops it.
 */
export function heedRemoval(notices: Notices): () => void {
  const tell = () => notices.add({ message: t.askedElsewhere, action: { label: t.keepEverything, run: endRemoval } });
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === removalKey && newValue !== null) tell();
  };
  if (removalWanted()) tell();
  const trouble = removalTrouble();
  if (trouble !== null) notices.add({ message: t.pageMissing(trouble) });
  addEventListener("storage", onStorage);
  return () => removeEventListener("storage", onStorage);
}
