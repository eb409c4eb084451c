import { Show } from "solid-js";
import * as t from "../texts/project.ts";

/** An operation in progress: how far it is, and a way to stop it. */
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
