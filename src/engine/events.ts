import type { LiveData, LiveEvent } from "../protocol/index.ts";
import { vibey } from "../fs/actor.ts";

/** Live events of the engine, for anyone who listens. */
export interface EventBus {
  /** The default actor is Vibey, and the default dialog is none. */
  emit(data: LiveData, about?: Partial<Pick<LiveEvent, "actor" | "dialogId">>): void;
  /** Returns a function that stops listening. An error thrown by a listener is a bug: it is reported and doesn't affect the other listeners. */
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
