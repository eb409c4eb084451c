import type { DialogListing, MessageView } from "../../protocol/index.ts";
import { groupOf } from "./dialog-group.ts";

/** An agent that was mentioned and has not answered. */
export interface PendingReply {
  readonly agent: string;
  readonly dialogId: string;
  readonly listing: DialogListing;
}

const none: PendingReply[] = [];

/** The agents that the dialog's messages mention and whose answers aren't in it yet, if their dialogs say that they reply to this one. */
export function pendingReplies(
  messages: readonly Pick<MessageView, "from" | "system" | "mentions">[],
  dialogs: readonly DialogListing[],
  dialogId: string,
): PendingReply[] {
  const mentions = messages.flatMap((message) => message.mentions ?? []);
  if (mentions.length === 0) return none;
  const told = new Set(messages.flatMap(({ from }) => (from?.kind === "agent" ? [from.dialogId] : [])));
  const answered = new Set(messages.flatMap(({ from, system }) => (from?.kind === "agent" && system === undefined ? [from.dialogId] : [])));
  const byId = new Map(dialogs.map((one) => [one.dialogId, one]));
  return mentions.flatMap(({ agent, dialogId: id }) => {
    const listing = byId.get(id);
    if (listing === undefined || listing.launchedBy !== dialogId || answered.has(id)) return [];
    // Its failure is already shown. If the agent tries again, it is listed again.
    if (told.has(id) && listing.status !== "active" && listing.activity === null) return [];
    // Its answer is about to arrive.
    if (groupOf(listing) === "done") return [];
    return [{ agent, dialogId: id, listing }];
  });
}
