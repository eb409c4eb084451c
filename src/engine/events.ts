import type { EngineEvent } from "../protocol/index.ts";

/** What happens in the engine, for anyone who listens: the screens, and later a scheduler, a bridge, a log. */
export interface EventBus {
  emit(event: EngineEvent): void;
  /** Returns the way to stop. A listener that throws is a programmer's mistake and reaches no one else. */
  listen(listener: (event: EngineEvent) => void): () => void;
}

export function eventBus(report: (error: unknown) => void): EventBus {
  const listeners = new Set<(event: EngineEvent) => void>();
  return {
    emit(event) {
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
