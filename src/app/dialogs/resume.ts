import type { DialogListing } from "../../protocol/index.ts";
import { send } from "../model/api/send.ts";
import * as t from "../texts/dialogs.ts";

/** The dialogs whose turn was interrupted. */
export const interrupted = (dialogs: readonly DialogListing[]) => dialogs.filter(({ waitingFor }) => waitingFor === "interrupted");

/** Lets each dialog continue, one after another. Resolves to those that could not, and why. */
export async function resumeAll(dialogs: readonly DialogListing[]): Promise<{ readonly dialogId: string; readonly message: string }[]> {
  const refused = [];
  for (const { dialogId } of dialogs) {
    const message = await send({ dialogId, prompt: t.pleaseContinue });
    if (message !== null) refused.push({ dialogId, message });
  }
  return refused;
}
