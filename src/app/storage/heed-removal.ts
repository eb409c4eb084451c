import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/removal.ts";
import { endRemoval, removalKey, removalTrouble, removalWanted } from "./removal.ts";

/** Tells a person who works here that another tab waits to remove everything, with a way to keep it, or that nothing was removed. Returns the way to stop. */
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
