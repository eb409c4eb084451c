import { For, type JSX, Show } from "solid-js";
import { number } from "../ui/format.ts";
import * as t from "../texts/zip.ts";

/** The maximum number of rows shown. If there are more, it says how many. */
const maxRows = 200;

export function Capped<T>(props: { label: string; items: readonly T[]; more?: number; children: (item: T) => JSX.Element }) {
  const more = () => (props.more ?? 0) + Math.max(0, props.items.length - maxRows);
  return (
    // Scrollable content must be reachable with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul class="zip-list" tabindex={0} aria-label={props.label}>
      <For each={props.items.slice(0, maxRows)}>{(item) => <li>{props.children(item)}</li>}</For>
      <Show when={more() > 0}>
        <li>{t.andMore(number(more()))}</li>
      </Show>
    </ul>
  );
}
