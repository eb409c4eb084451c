import { For } from "solid-js";
import { Visible } from "../calls/Visible.tsx";

/** What in an agent's file could not be read as intended. */
export function Notes(props: { readonly notes: readonly string[] }) {
  return (
    <ul class="agent-notes">
      <For each={props.notes}>
        {(note) => (
          <li>
            <Visible text={note} />
          </li>
        )}
      </For>
    </ul>
  );
}
