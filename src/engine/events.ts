import type { LiveData, LiveEvent } from "../protocol/index.ts";
import { vibey } from "../fs/actor.ts";

/** What happens in the engine now, for anyone who listens. */
export interface EventBus {
  /** Missing: it is Vibey's, and about no dialog. */
  emit(data: LiveData, about?: Partial<Pick<LiveEvent, "actor" | "dialogId">>): void;
  /** Returns the way to stop. A listener that throws is a programmer's mistake and reaches no one else. */
  listen(listener: (event: LiveEvent) => void): () => void;
}

export function eventBus(report: (error: unknown) => void): EventBus {
  const listeners = new Set<(event: LiveEvent) => void>();
  return {
    emit(data, { actor = vibey, dialogId = null } = {}) {
      const severity = data.type === "notice" ? "warning" : "info";
      const event: LiveEvent = { ...data, time: new Date().toISOString(), severity, actor, dialogId };
      for (const listener of listeners) {
        try {
          listener(event);
        } catch (error) {
          report(error);
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
