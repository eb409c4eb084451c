import { isOwnFormat } from "../../dialog/agent.ts";
import { dialogCalls } from "../../dialog/edit.ts";
import { isLost } from "../turn/machine/queries.ts";
import type { Turns } from "../turn/turns.ts";
import type { Dispatched } from "./dispatch.ts";
import { inOrder, type Live } from "./live.ts";
import { notStored, type Outcome, type PutRefusal, refused } from "./outcome.ts";
import type { Registry } from "./registry.ts";

type Refused = { readonly ok: false; readonly refusal: PutRefusal };

/** Work on one dialog, in its order, with the outcome that the user is told. */
export interface DialogAccess {
  /** Runs `work` in the dialog's order, on the `Live` that stands for it then: it may have been read again, or deleted, meanwhile. */
  readonly withLive: <T>(id: string, work: (live: Live) => Promise<Outcome<T>>) => Promise<Outcome<T>>;
  /** What the user is told of a step. Where the file is no more the one that was meant, it is read again. */
  readonly outcome: (live: Live, done: Dispatched | Refused) => Promise<Outcome<Live>>;
}

export function createDialogAccess(registry: Pick<Registry, "find" | "handOver">, turns: Pick<Turns, "takeBack">): DialogAccess {
  return {
    async withLive(id, work) {
      for (;;) {
        const live = await registry.find(id);
        if (!live) return refused({ kind: "unknown-dialog" });
        const done = await inOrder(live, async () => (live.gone ? null : work(live)));
        if (done) return done;
      }
    },
    async outcome(live, done) {
      if (done.ok) return { ok: true, value: live };
      if ("refusal" in done) return refused(done.refusal);
      if (done.failure.kind !== "conflict") return notStored(done.failure.kind);
      // The file is not the one that this was meant for: it is read again, and what continued by the old one ends.
      await (live.state.turn ? turns.takeBack(live, done.failure.kind) : registry.handOver(live));
      return refused({ kind: "changed", ids: [] });
    },
  };
}

/** Work continues in it whose end will be written to the file as it is now. */
export function isBusy({ state: { dialog, status } }: Live): boolean {
  return isOwnFormat(dialog.format) && (status === "active" || dialogCalls(dialog).some(isLost));
}
