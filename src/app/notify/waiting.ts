import type { DialogListing } from "../../protocol/index.ts";
import { groupOf } from "../dialogs/dialog-group.ts";

type Waiting = ReadonlyMap<string, string | null>;

/** What each waiting dialog waits for; null if that is not known yet. */
export const waitingNow = (dialogs: readonly DialogListing[]): Waiting =>
  new Map(dialogs.filter((one) => groupOf(one) === "waiting").map((one) => [one.dialogId, one.waitingFor]));

/** Milliseconds. A shorter interval would be no reminder. */
const minRepeatMs = 60_000;

/** The dialogs whose requests are repeated while they wait, each with the interval in milliseconds. */
export const remindedOf = (dialogs: readonly DialogListing[]): ReadonlyMap<string, number> =>
  new Map(
    dialogs.flatMap(({ dialogId, waitingFor, asksAgain }) =>
      waitingFor === "leave" && asksAgain != null ? [[dialogId, Math.max(minRepeatMs, asksAgain * 1_000)] as const] : [],
    ),
  );

/** The dialogs that are waiting now and weren't before, or waited for something else. */
export function newlyWaiting(before: Waiting, dialogs: readonly DialogListing[]): readonly DialogListing[] {
  const now = waitingNow(dialogs);
  return dialogs.filter(({ dialogId }) => now.has(dialogId) && before.get(dialogId) !== null && now.get(dialogId) !== before.get(dialogId));
}
