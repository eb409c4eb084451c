import { limits } from "../../protocol/limits.ts";
import type { Live } from "../dialogs/live.ts";
import type { EventBus } from "../events.ts";

/** Called if the message of another agent could not be stored in a dialog. The message stays pending. `again` tries once more and never rejects. */
export type NotDelivered = (live: Live, kind: string, again: () => Promise<void>) => Promise<void>;

export interface NotDeliveredDeps {
  /** Reads the file again, then delivers what is pending for it. */
  readonly handOver: (live: Live) => Promise<unknown>;
  readonly bus: Pick<EventBus, "emit">;
  /** Calls `then` once after `ms`. */
  readonly later: (then: () => void, ms: number) => void;
}

/**
 * If the file has changed, it is read again. If the storage failed, delivery is tried again after a while, because an immediate retry would fail
 * again.
 */
export function createNotDelivered({ handOver, bus, later }: NotDeliveredDeps): NotDelivered {
  /** The dialogs about which the user was told, until nothing is pending there. */
  const told = new Set<string>();
  const waiting = new Set<string>();
  return async (live, kind, again) => {
    const { id } = live;
    // Another engine has the files now and looks for pending deliveries.
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
