import { isOwnFormat } from "../../dialog/agent.ts";
import { dialogCalls } from "../../dialog/edit.ts";
import { isLost } from "../turn/machine/queries.ts";
import type { Turns } from "../turn/turns.ts";
import type { Dispatched } from "./dispatch.ts";
import { inOrder, type Live } from "./live.ts";
import { notStored, type Outcome, type PutRefusal, refused } from "./outcome.ts";
import type { Registry } from "./registry.ts";

type Refused = { readonly ok: false; readonly refusal: PutRefusal };

/** Runs work on one dialog in its order, and returns the outcome for the user. */
export interface DialogAccess {
  /** Runs `work` in the dialog's order, with its current `Live`. The dialog may have been read again or deleted in the meantime. */
  readonly withLive: <T>(id: string, work: (live: Live) => Promise<Outcome<T>>) => Promise<Outcome<T>>;
  /** The outcome of a step for the user. If the file is no longer the expected version, it is read again. */
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
      // The file is not the version that the change was meant for. It is read again, and a turn based on the old version ends.
      await (live.state.turn ? turns.takeBack(live, done.failure.kind) : registry.handOver(live));
      return refused({ kind: "changed", ids: [] });
    },
  };
}

/** Whether work is still in progress that will write to the current file. */
export function isBusy({ state: { dialog, status } }: Live): boolean {
  return isOwnFormat(dialog.format) && (status === "active" || dialogCalls(dialog).some(isLost));
}
