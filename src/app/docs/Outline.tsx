import { createEffect, createSignal, For, on, onCleanup, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import type { Mounted } from "./editor-mount.ts";
import { type Heading, outlineOf } from "./editor/outline.ts";

/** Milliseconds without a change after which the headings are looked for again. */
const pause = 300;

/** The headings of the open text; each of them jumps to its place. */
export default function Outline(props: { editor: Mounted; changes: number; close: () => void }) {
  const [headings, setHeadings] = createSignal<readonly Heading[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => setHeadings(outlineOf(props.editor.lines()));
  createEffect(on(() => props.editor, look));
  createEffect(
    on(
      () => props.changes,
      () => {
        clearTimeout(timer);
        timer = setTimeout(look, pause);
      },
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(timer));
  const top = () => Math.min(...headings().map(({ level }) => level));
  return (
    <nav class="outline" aria-label="Outline">
      <header>
        <h2>Outline</h2>
        <button type="button" class="quiet cross" aria-label="Close the outline" onClick={() => props.close()}>
          ×
        </button>
      </header>
      <Show when={headings().length > 0} fallback={<p>No headings yet. A line that begins with # is one.</p>}>
        <ul>
          <For each={headings()}>
            {(heading) => (
              <li class={`outline-${Math.min(4, heading.level - top() + 1)}`}>
                <button
                  type="button"
                  onClick={() => {
                    // On a phone the outline lies over the text.
                    if (matchMedia("(max-width: 46rem)").matches) props.close();
                    props.editor.jump({ line: heading.line, from: heading.level + 1, to: heading.level + 1 });
                  }}
                >
                  <Visible text={heading.title === "" ? "(no words)" : heading.title} />
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </nav>
  );
}
