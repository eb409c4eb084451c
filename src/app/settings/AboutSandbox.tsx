import { createSignal, Show } from "solid-js";
import { readSandbox } from "../api/calls.ts";
import { createLatest } from "../api/latest.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import * as t from "../texts/settings.ts";

/** What agents' commands run in, in the words that the model is told. */
export function AboutSandbox() {
  const [open, setOpen] = createSignal(false);
  const answer = createLatest(open, async (wanted) => (wanted ? await readSandbox() : null));
  const about = () => {
    const got = answer();
    return got?.ok ? got.value.about : null;
  };
  const failed = () => {
    const got = answer();
    return got?.ok === false ? got.message : null;
  };
  return (
    <details class="about-sandbox" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h3>{t.sandbox}</h3>
      </summary>
      <p>{t.sandboxWords}</p>
      <Show when={failed()}>{(why) => <p class="problem">{t.sandboxNotRead(why())}</p>}</Show>
      <Show when={about()}>{(text) => <Markdown text={text()} complete />}</Show>
    </details>
  );
}
