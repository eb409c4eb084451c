import { Show } from "solid-js";
import * as t from "../texts/composer.ts";

/** Says that the chosen provider has no usable key, and what to do about it. */
export function Keyless(props: { label: string; locked: boolean; unlock: () => void; settings: () => void }) {
  return (
    <p class="keyless">
      <Show
        when={props.locked}
        fallback={
          <>
            <span>{t.noKey(props.label)}</span>
            <button type="button" class="quiet small" onClick={() => props.settings()}>
              {t.enterKey}
            </button>
          </>
        }
      >
        <span>{t.keyLocked(props.label)}</span>
        <button type="button" class="quiet small" onClick={() => props.unlock()}>
          {t.unlock}
        </button>
      </Show>
    </p>
  );
}
