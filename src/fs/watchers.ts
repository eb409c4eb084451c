import type { FileEvent } from "./files.ts";

export type Listener = (events: readonly FileEvent[]) => void;

export interface Watchers {
  /** Returns the way to stop; after it the listener is not called, even when an event is on its way. */
  watch(listener: Listener): () => void;
  /** Tells every listener. One that commits meanwhile is told of that commit after all others were told of this one. */
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
        // A copy: a listener that comes meanwhile hears only of what comes after it.
        const present = [...listeners];
        for (const entry of present) if (listeners.has(entry)) call(entry.listener, next);
      }
      delivering = false;
    },
  };
}

/** A listener that throws must neither undo what is stored nor keep the others from hearing of it; its error goes where uncaught ones go. */
function call(listener: Listener, events: readonly FileEvent[]): void {
  try {
    listener(events);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
