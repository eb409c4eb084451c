import { createSignal, onCleanup } from "solid-js";
import type { LiveEvent, LiveFrame } from "../../../protocol/index.ts";
import { openEvents } from "./calls.ts";
import { follow } from "./follow.ts";

/** `hello`: anything may have changed. */
export type Heard = { readonly type: "hello" } | LiveEvent;

/**
 * The engine's events, for the life of the owner. After every `hello`, the first one included, anything may have changed
 * unseen, so a listener that keeps a list fetches it again then.
 */
export function createEngineEvents() {
  const listeners = new Set<(event: Heard) => void>();
  const [lost, setLost] = createSignal(false);
  const controller = new AbortController();
  onCleanup(() => controller.abort());
  void follow<LiveFrame>(
    {
      open: openEvents,
      frame: (frame) => {
        for (const listener of listeners) listener(frame.type === "live" ? frame.event : frame);
        return true;
      },
      lost: setLost,
      missing: () => setLost(true),
    },
    controller.signal,
  );
  return {
    /** True while the engine can't be heard. */
    lost,
    listeners,
  };
}
export type EngineEvents = ReturnType<typeof createEngineEvents>;

/** Calls the listener for every event, for the life of the owner. */
export function createListener(events: EngineEvents, listener: (event: Heard) => void) {
  events.listeners.add(listener);
  onCleanup(() => events.listeners.delete(listener));
}
