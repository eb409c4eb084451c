import type { Dialog } from "../../dialog/model.ts";
import { roomOf } from "../../dialog/replies.ts";
import { lastSection } from "../../dialog/sections.ts";
import { pendingReplies, summaryIn } from "../agents/pending-replies.ts";
import type { Reply } from "../turn/machine/model.ts";
import type { Turns } from "../turn/turns.ts";
import type { DialogAccess } from "./dialog-access.ts";
import { forkedFrom, sideForkOf } from "./fork-point.ts";
import type { Live } from "./live.ts";
import { type Outcome, refused } from "./outcome.ts";

export interface SummariesDeps {
  readonly find: (dialogId: string) => Promise<Live | null>;
  readonly access: DialogAccess;
  readonly turns: Pick<Turns, "act">;
  readonly setStatus: (id: string, status: "done") => Promise<Outcome<Live>>;
  /** In ISO 8601. */
  readonly now: () => string;
}

/** Why a summary could not be delivered: the other dialog's agent is busy, or the storage failed. */
export type SideHeld = { readonly by: "busy"; readonly dialogId: string } | { readonly by: "storage" };

/** Delivers the summaries of forks to their original dialogs. */
export interface Summaries {
  /** Delivers the summary of a fork to the original dialog, and marks the fork as done. */
  send(id: string): Promise<Outcome<Live>>;
  /** The same for a side fork whose turn is over, if it has a summary. Null if it was delivered or there is nothing to deliver. */
  deliverSide(live: Live): Promise<SideHeld | null>;
}

export function createSummaries({ find, access, turns, setStatus, now }: SummariesDeps): Summaries {
  /** Delivers the summary of a fork to the dialog with this id, once. */
  const sendTo = (to: string, fork: Dialog, id: string, reply: Reply, removed: "stays away" | "comes again") =>
    access.withLive(to, async (live) => {
      // A second click sends nothing more.
      if (pendingReplies(live.state.dialog, [reply], removed).length === 0) return { ok: true, value: live };
      const topic = roomOf(fork.head);
      const named = { ...reply, resolves: id, ...(topic === null ? {} : { topic }) };
      return access.outcome(live, await turns.act(live, { type: "deliver", replies: [named], time: now() }));
    });

  return {
    async send(id) {
      const fork = await find(id);
      if (!fork) return refused({ kind: "unknown-dialog" });
      const { dialog } = fork.state;
      const summary = summaryIn(dialog);
      // Only deliver it to the dialog that the header names.
      if (summary === null || dialog.format !== 2 || summary.to !== forkedFrom(dialog.head)?.dialogId)
        return refused({ kind: "no-summary" });
      const { to, ...reply } = summary;
      const sent = await sendTo(to, dialog, id, reply, "comes again");
      return sent.ok ? setStatus(id, "done") : sent;
    },
    async deliverSide({ id, state: { dialog, status } }) {
      const from = sideForkOf(dialog.head);
      const summary = from && summaryIn(dialog);
      if (!summary || dialog.format !== 2 || summary.to !== from.dialogId) return null;
      const { to, ...reply } = summary;
      const sent = await sendTo(to, dialog, id, reply, "stays away");
      if (!sent.ok) {
        const { kind } = sent.refusal;
        return kind === "active" || kind === "undecided" ? { by: "busy", dialogId: to } : kind === "storage" ? { by: "storage" } : null;
      }
      // A message of the user after the summary reopens the discussion.
      const last = lastSection(dialog);
      if (status !== "done" && last && pendingReplies({ sections: [last] }, [reply]).length === 0) await setStatus(id, "done");
      return null;
    },
  };
}
