import { For, Show } from "solid-js";
import * as t from "../texts/characters.ts";
import { segments } from "./visible.ts";

/** Text of a stranger: every character that a screen would hide stands as its code point. */
export function Visible(props: { text: string }) {
  return (
    <For each={segments(props.text)}>
      {(segment) => (
        <Show when={segment.kind === "code"} fallback={segment.text}>
          <span class="codepoint" title={t.hiddenCharacter}>
            {segment.text}
          </span>
        </Show>
      )}
    </For>
  );
}
