import { limits } from "../../protocol/limits.ts";
import type { Live } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";

/** Called where words of another agent's could not be stored in a dialog: they stay owed. `again`: tries it once more, and never rejects. */
export type NotDelivered = (live: Live, kind: string, again: () => Promise<void>) => Promise<void>;

export interface NotDeliveredDeps {
  /** Reads the file again, and then what is owed to it. */
  readonly handOver: (live: Live) => Promise<unknown>;
  readonly bus: Pick<EventBus, "emit">;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
}

/** A file that is another now is read again. Where the storage fails it is tried again after a while: at once it would fail again and again. */
export function createNotDelivered({ handOver, bus, later }: NotDeliveredDeps): NotDelivered {
  /** Until nothing is owed there anymore. */
  const told = new Set<string>();
  const waiting = new Set<string>();
  return async (live, kind, again) => {
    const { id } = live;
    // Another engine has the files now, and looks for what is owed.
    if (kind === "fenced") return;
    if (kind !== "full" && kind !== "broken") {
      await handOver(live);
      return;
    }
    if (!told.has(id)) {
      told.add(id);
      const why = kind === "full" ? "The browser's storage is full." : "The browser couldn't save a dialog.";
      const message = `${why} What an agent said is kept in its own dialog and comes here once it can be saved.`;
      bus.emit({ type: "notice", data: { kind: "storage", message } }, { dialogId: id });
    }
    if (waiting.has(id)) return;
    waiting.add(id);
    const tryAgain = async () => {
      waiting.delete(id);
      await again();
      if (!waiting.has(id)) told.delete(id);
    };
    later(() => void tryAgain(), limits.settleAgainMs);
  };
}
