import { createSignal, Show } from "solid-js";
import { Markdown } from "../markdown/Markdown.tsx";
import * as t from "../texts/settings.ts";

/** Where agents' commands run, in the words that the model is told; null: not loaded yet. */
export function AboutSandbox(props: { about: string | null }) {
  const [open, setOpen] = createSignal(false);
  return (
    <details class="about-sandbox" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{t.sandbox}</h3>
      </summary>
      <p>{t.sandboxWords}</p>
      <Show when={open() && props.about}>{(text) => <Markdown text={text()} complete />}</Show>
    </details>
  );
}
