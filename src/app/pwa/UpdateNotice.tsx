import { createSignal, Show } from "solid-js";
import { update } from "./update.ts";
import * as t from "../texts/update.ts";

/** Milliseconds after which it is said why nothing seems to happen. */
const longMs = 10_000;

/** Offers a newer version that waits; never takes it by itself. `busy`: agents are at work, whose turns a reload would break off. */
export default function UpdateNotice(props: { busy: boolean }) {
  const [later, setLater] = createSignal(false);
  const [taken, setTaken] = createSignal(false);
  const [long, setLong] = createSignal(false);
  return (
    <Show when={!later() && update()}>
      {(waiting) => (
        <div class="notice">
          <p>{long() ? t.stillClosing : props.busy ? t.readyWhenDone : t.ready}</p>
          <button
            type="button"
            class="quiet"
            disabled={props.busy || taken()}
            onClick={() => {
              setTaken(true);
              setTimeout(() => setLong(true), longMs);
              waiting().apply();
            }}
          >
            {taken() ? t.taking : t.take}
          </button>
          <button type="button" class="quiet cross" aria-label={t.later} onClick={() => setLater(true)}>
            ×
          </button>
        </div>
      )}
    </Show>
  );
}
