import { Show } from "solid-js";

/** No key can be used for the provider that is chosen, and what to do about it. */
export function Keyless(props: { label: string; locked: boolean; unlock: () => void; settings: () => void }) {
  return (
    <p class="keyless">
      <Show
        when={props.locked}
        fallback={
          <>
            <span>No key for {props.label} is here.</span>
            <button type="button" class="quiet small" onClick={() => props.settings()}>
              Enter a key
            </button>
          </>
        }
      >
        <span>The key for {props.label} is locked.</span>
        <button type="button" class="quiet small" onClick={() => props.unlock()}>
          Unlock
        </button>
      </Show>
    </p>
  );
}
