import { createSignal, Show } from "solid-js";
import { isWorking, update } from "./update.ts";
import * as t from "../texts/update.ts";

/** Milliseconds until the notice says why nothing seems to happen. */
const longMs = 10_000;

/** Offers a newer version that is waiting; never applies it by itself. If another tab has applied it, says when this tab will reload. */
export default function UpdateNotice() {
  const [later, setLater] = createSignal(false);
  const [taken, setTaken] = createSignal(false);
  const [long, setLong] = createSignal(false);
  return (
    <Show
      when={update()?.taken}
      fallback={
        <Show when={!later() && update()}>
          {(waiting) => (
            <div class="notice">
              <p>{long() ? t.stillClosing : isWorking() ? t.readyWhenDone : t.ready}</p>
              <button
                type="button"
                class="quiet"
                disabled={isWorking() || taken()}
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
      }
    >
      <div class="notice">
        <p>{t.reloadsWhenDone}</p>
        <button type="button" class="quiet" onClick={() => update()?.apply()}>
          {t.reloadNow}
        </button>
      </div>
    </Show>
  );
}
