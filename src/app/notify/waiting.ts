import type { DialogListing } from "../../protocol/index.ts";
import { groupOf } from "../dialogs/dialog-group.ts";

type Waiting = ReadonlyMap<string, string | null>;

/** What each dialog that waits for the person waits for; null where that is not known yet. */
export const waitingNow = (dialogs: readonly DialogListing[]): Waiting =>
  new Map(dialogs.filter((one) => groupOf(one) === "waiting").map((one) => [one.dialogId, one.waitingFor]));

/** Milliseconds; more often would be no reminder. */
const minRepeatMs = 60_000;

/** The dialogs whose requests the user is told of again while they wait, each with the milliseconds between. */
export const remindedOf = (dialogs: readonly DialogListing[]): ReadonlyMap<string, number> =>
  new Map(
    dialogs.flatMap(({ dialogId, waitingFor, asksAgain }) =>
      waitingFor === "leave" && asksAgain != null ? [[dialogId, Math.max(minRepeatMs, asksAgain * 1_000)] as const] : [],
    ),
  );

/** The dialogs that wait now and did not, or waited for something else. */
export function newlyWaiting(before: Waiting, dialogs: readonly DialogListing[]): readonly DialogListing[] {
  const now = waitingNow(dialogs);
  return dialogs.filter(({ dialogId }) => now.has(dialogId) && before.get(dialogId) !== null && now.get(dialogId) !== before.get(dialogId));
}
