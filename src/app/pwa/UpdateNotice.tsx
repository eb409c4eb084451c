import { createSignal, Show } from "solid-js";
import { update } from "./update.ts";

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
          <p>
            {long()
              ? "The browser is still closing the older version, which can take half a minute. Closing Vibey's other tabs makes it faster."
              : props.busy
                ? "A new version is ready. It can be taken when the agents are done."
                : "A new version is ready."}
          </p>
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
            {taken() ? "Updating …" : "Update"}
          </button>
          <button type="button" class="quiet cross" aria-label="Later" onClick={() => setLater(true)}>
            ×
          </button>
        </div>
      )}
    </Show>
  );
}
