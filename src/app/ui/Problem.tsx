import { onCleanup, Show } from "solid-js";
import * as t from "../texts/unread.ts";

/** A problem, announced at once to screen readers; nothing while it is null. `column`: it is alone across a pane. */
export function Problem(props: { text: string | null; column?: boolean }) {
  return (
    <Show when={props.text}>
      <p class="problem" classList={{ column: props.column }} role="alert">
        {props.text}
      </p>
    </Show>
  );
}

/** Why a list or a part of it could not be read, and a button to try again. When the button disappears, the list gets its focus. */
export function Unread(props: { text: string | null; again: () => unknown }) {
  let list: Element | null = null;
  const lead = () => {
    if (document.activeElement === document.body) list?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
  };
  async function again(button: HTMLElement) {
    list = button.closest("nav, section");
    await props.again();
    lead();
  }
  return (
    <Show when={props.text}>
      {(text) => {
        // Some lists appear only after they have been read.
        onCleanup(() => queueMicrotask(lead));
        return (
          <p class="problem">
            <span role="alert">{text()}</span>{" "}
            <button type="button" class="quiet small" onClick={(event) => void again(event.currentTarget)}>
              {t.tryAgain}
            </button>
          </p>
        );
      }}
    </Show>
  );
}
