import { createSignal, Show } from "solid-js";
import { createListener, type EngineEvents } from "../model/api/events.ts";
import * as t from "../texts/project.ts";

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

/** Something that continues, how far it is, and a way to stop it. */
export function Progress(props: { label: string; part: number | null; stop: () => void }) {
  return (
    <div class="zip-progress">
      <output>{props.label}</output>
      <Show when={props.part !== null} fallback={<progress aria-label={props.label} />}>
        <progress aria-label={props.label} max={1} value={props.part ?? 0} />
      </Show>
      <div class="buttons">
        <button type="button" class="quiet" onClick={() => props.stop()}>
          {t.cancel}
        </button>
      </div>
    </div>
  );
}
