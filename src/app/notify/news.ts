import type { DialogListing } from "../../engine/api.ts";
import { placeOf } from "../dialogs/place.ts";

type Waiting = ReadonlyMap<string, string>;

/** What each dialog that waits for the person waits for. */
export const waitingNow = (dialogs: readonly DialogListing[]): Waiting =>
  new Map(dialogs.filter((one) => placeOf(one) === "waiting").map((one) => [one.dialogId, one.waitingFor ?? "word"]));

/** The dialogs that wait now and did not, or waited for something else. */
export function newlyWaiting(before: Waiting, dialogs: readonly DialogListing[]): readonly DialogListing[] {
  const now = waitingNow(dialogs);
  return dialogs.filter(({ dialogId }) => now.has(dialogId) && now.get(dialogId) !== before.get(dialogId));
}
