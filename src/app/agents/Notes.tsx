import { For } from "solid-js";
import { Visible } from "../calls/Visible.tsx";

/** What could not be read of an agent's file as it was meant. */
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
