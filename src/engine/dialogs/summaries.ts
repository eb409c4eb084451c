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
  /** ISO 8601. */
  readonly now: () => string;
}

/** Why a summary could not be brought: the agent of that dialog is busy, or the storage failed. */
export type SideHeld = { readonly by: "busy"; readonly dialogId: string } | { readonly by: "storage" };

/** The summaries of forks, on their way to the dialogs that these were forked from. */
export interface Summaries {
  /** Brings the summary of a fork to its dialog, and marks the fork as done. */
  send(id: string): Promise<Outcome<Live>>;
  /** The same of a side fork whose turn is over, if it has a summary. null: it is there, or nothing is to be brought. */
  deliverSide(live: Live): Promise<SideHeld | null>;
}

export function createSummaries({ find, access, turns, setStatus, now }: SummariesDeps): Summaries {
  /** The summary of a fork goes to the dialog with this id, once. */
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
      // It goes to no other dialog than the one that the header names.
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
      // What the user says after the summary opens the discussion again.
      const last = lastSection(dialog);
      if (status !== "done" && last && pendingReplies({ sections: [last] }, [reply]).length === 0) await setStatus(id, "done");
      return null;
    },
  };
}
