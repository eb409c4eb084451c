import { Show } from "solid-js";

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
