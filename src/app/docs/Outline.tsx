import { createSignal, For, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/docs-outline.ts";
import type { Mounted } from "./editor-mount.ts";
import { type Heading, outlineOf } from "./editor/outline.ts";
import { createWhenPaused } from "./when-paused.ts";

/** Milliseconds without a change until the headings are searched again. */
const pause = 300;

/** The headings of the open text. Each one jumps to its place. */
export default function Outline(props: { editor: Mounted; changes: number; close: () => void }) {
  const [headings, setHeadings] = createSignal<readonly Heading[]>([]);
  createWhenPaused(
    () => props.editor,
    () => props.changes,
    pause,
    () => setHeadings(outlineOf(props.editor.lines())),
  );
  const top = () => headings().reduce((least, { level }) => Math.min(least, level), Infinity);
  return (
    <nav class="outline" aria-label={t.outline}>
      <header>
        <h2>{t.outline}</h2>
        <button type="button" class="quiet cross" aria-label={t.close} onClick={() => props.close()}>
          ×
        </button>
      </header>
      <Show when={headings().length > 0} fallback={<p>{t.noHeadings}</p>}>
        <ul>
          <For each={headings()}>
            {(heading) => (
              <li class={`outline-${Math.min(4, heading.level - top() + 1)}`}>
                <button
                  type="button"
                  onClick={() => {
                    // On a phone, the outline covers the text.
                    if (matchMedia("(max-width: 46rem)").matches) props.close();
                    props.editor.jump({ line: heading.line, from: heading.level + 1, to: heading.level + 1 });
                  }}
                >
                  <Visible text={heading.title === "" ? t.emptyHeading : heading.title} />
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </nav>
  );
}
