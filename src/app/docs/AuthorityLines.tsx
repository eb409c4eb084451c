import { createMemo, For, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { authorityLines } from "./authority.ts";

/** What doc-main.md lets agents do without asking, said in words under the text. */
export default function AuthorityLines(props: { text: string }) {
  const lines = createMemo(() => authorityLines(props.text));
  return (
    <Show when={lines().length > 0}>
      <ul class="authority" aria-label="What agents may do">
        <For each={lines()}>
          {(line) => (
            <li>
              <code>
                <Visible text={line.line} />
              </code>
              <span>
                <Visible text={line.meaning} />
              </span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
