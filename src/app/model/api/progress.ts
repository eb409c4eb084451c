import { createSignal } from "solid-js";
import { createListener, type EngineEvents } from "./events.ts";

/** How far the engine is with what was asked under `id`: a part of 1; null: it has not said yet. */
export function createProgress(events: EngineEvents, id: string) {
  const [part, setPart] = createSignal<number | null>(null);
  createListener(events, (event) => {
    if (event.type !== "progress" || event.data.id !== id) return;
    const { done, total } = event.data;
    setPart(total === 0 ? 1 : Math.min(1, done / total));
  });
  return part;
}
