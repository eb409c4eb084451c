import { createSignal } from "solid-js";
import { createListener, type EngineEvents } from "./events.ts";

/** The engine's progress on the request with this `id`, from 0 to 1; null until it is reported. */
export function createProgress(events: EngineEvents, id: string) {
  const [part, setPart] = createSignal<number | null>(null);
  createListener(events, (event) => {
    if (event.type !== "progress" || event.data.id !== id) return;
    const { done, total } = event.data;
    setPart(total === 0 ? 1 : Math.min(1, done / total));
  });
  return part;
}
