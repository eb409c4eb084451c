import { createSignal, onCleanup } from "solid-js";
import type { LiveEvent, LiveFrame } from "../../../protocol/index.ts";
import { openEvents } from "./calls.ts";
import { follow } from "./follow.ts";

/** `hello`: anything may have changed. */
export type Heard = { readonly type: "hello" } | LiveEvent;

/**
 * The engine's events, until the owner is disposed. After every `hello`, including the first, anything may have changed unnoticed, so a listener that
 * keeps a list fetches it again.
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
    /** True while there is no connection to the engine. */
    lost,
    listeners,
  };
}
export type EngineEvents = ReturnType<typeof createEngineEvents>;

/** Calls the listener for every event, until the owner is disposed. */
export function createListener(events: EngineEvents, listener: (event: Heard) => void) {
  events.listeners.add(listener);
  onCleanup(() => events.listeners.delete(listener));
}
