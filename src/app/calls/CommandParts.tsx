import { createResource, For, Show } from "solid-js";
import type { Finding, Part } from "../../shell/embedded/parts/part.ts";
import * as t from "../texts/command-parts.ts";
import { commandParts } from "./command-parts.ts";
import { ExactWord } from "./Exact.tsx";
import { visible } from "./visible.ts";

/** The maximum number of words shown of a part, and of characters shown of a word. The command above is always complete. */
const most = { words: 40, units: 160 };

/**
 * The parts of a command, below the command itself. Shows nothing for a single part without findings. While the parts are being read, this counts as
 * loading, so that findings appear before the command can be approved.
 */
export default function CommandParts(props: { command: string }) {
  const [read] = createResource(
    () => props.command,
    async (command) => ({ parts: await commandParts(command) }),
  );
  const parts = () => read()?.parts ?? [];
  const isPlain = () => parts().length <= 1 && parts().every(({ findings }) => findings.length === 0);
  return (
    <Show when={!read.loading} fallback={<p class="loading">{t.reading}</p>}>
      <Show when={read()?.parts !== null} fallback={<p class="not-split">{t.cantBeSplit}</p>}>
        <Show when={!isPlain()}>
          <section class="parts" aria-label={t.title(parts().length)}>
            <ol>
              <For each={parts()}>{(part) => <PartRow part={part} />}</For>
            </ol>
          </section>
        </Show>
      </Show>
    </Show>
  );
}

function PartRow(props: { part: Part }) {
  const words = () => [...(props.part.name === null ? [] : [props.part.name]), ...props.part.words, ...props.part.redirections];
  const left = () => words().length - most.words;
  return (
    <li data-depth={Math.min(props.part.depth, 5)} dir="ltr">
      <Show when={t.joints[props.part.joint]}>{(joint) => <span class="joint">{joint()}</span>}</Show>
      <Show when={props.part.frame}>{(frame) => <span class="frame">{t.frames[frame()]}</span>}</Show>
      <For each={words().slice(0, most.words)}>
        {(word, index) => (
          <code classList={{ program: index() === 0 && props.part.frame === null && props.part.name !== null }}>
            <ExactWord text={cut(word)} reading={index() === 0 ? "host" : "command"} />
          </code>
        )}
      </For>
      <Show when={left() > 0}>
        <span class="joint">{t.moreWords(left())}</span>
      </Show>
      <For each={props.part.findings}>{(each) => <span class="finding">{t.finding(each.kind, about(each))}</span>}</For>
    </li>
  );
}

/** The beginning of a word, on one line. */
function cut(word: string): string {
  const line = word.split("\n", 1)[0] ?? "";
  const beginning = Array.from(line).slice(0, most.units).join("");
  return beginning.length < word.length ? `${beginning}…` : beginning;
}

const about = (each: Finding) => visible(each.kind === "reaches" ? (each.host ?? "") : "path" in each ? cut(each.path) : "");
