import { Show } from "solid-js";
import * as t from "../texts/unread.ts";

/** What went wrong, told at once to those who listen; nothing while it is null. `column`: it stands alone across a pane. */
export function Problem(props: { text: string | null; column?: boolean }) {
  return (
    <Show when={props.text}>
      <p class="problem" classList={{ column: props.column }} role="alert">
        {props.text}
      </p>
    </Show>
  );
}

/** Why a list or a part of it could not be read, and a button that reads it once more. */
export function Unread(props: { text: string | null; again: () => unknown }) {
  async function again(button: HTMLElement) {
    const list = button.closest("nav, section");
    await props.again();
    // The button that had the focus is gone.
    if (document.activeElement === document.body) list?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
  }
  return (
    <Show when={props.text}>
      <p class="problem">
        <span role="alert">{props.text}</span>{" "}
        <button type="button" class="quiet small" onClick={(event) => void again(event.currentTarget)}>
          {t.tryAgain}
        </button>
      </p>
    </Show>
  );
}
