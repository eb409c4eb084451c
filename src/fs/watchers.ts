import type { FileEvent } from "./files.ts";

export type Listener = (events: readonly FileEvent[]) => void;

export interface Watchers {
  /** Returns a function that stops it. After that the listener is never called, even for an event that is on its way. */
  watch(listener: Listener): () => void;
  /** Tells every listener. If a listener commits during the delivery, that commit is delivered after all listeners have been told of this one. */
  deliver(events: readonly FileEvent[]): void;
}

export function watchers(): Watchers {
  const listeners = new Set<{ readonly listener: Listener }>();
  const queue: (readonly FileEvent[])[] = [];
  let delivering = false;

  return {
    watch(listener) {
      const entry = { listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    deliver(events) {
      if (events.length > 0) queue.push(events);
      if (delivering) return;
      delivering = true;
      for (let next = queue.shift(); next; next = queue.shift()) {
        // A copy: a listener that is added during the delivery gets only later events.
        const present = [...listeners];
        for (const entry of present) if (listeners.has(entry)) call(entry.listener, next);
      }
      delivering = false;
    },
  };
}

/** A listener that throws must neither undo what is stored nor keep other listeners from being told. Its error is reported as uncaught. */
function call(listener: Listener, events: readonly FileEvent[]): void {
  try {
    listener(events);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
