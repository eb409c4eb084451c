import { createMemo, createSignal, For, Show } from "solid-js";
import { diffRows, type Row, withContext } from "./diff.ts";
import { Visible } from "./Visible.tsx";

const contextLines = 3;
const mark: Readonly<Record<Row["kind"], string>> = { add: "+", remove: "-", same: " ", gap: "⋯" };
const spoken: Readonly<Record<Row["kind"], string>> = { add: "added: ", remove: "removed: ", same: "", gap: "" };

export default function Diff(props: { before: string; after: string }) {
  const all = createMemo(() => diffRows(props.before, props.after));
  const near = createMemo(() => withContext(all(), contextLines));
  const [full, setFull] = createSignal(false);
  const isCut = () => near().some((row) => row.kind === "gap");
  return (
    <div class="diff">
      {/* What scrolls must be reachable with keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div class="diff-rows" tabindex={0}>
        <For each={full() ? all() : near()}>
          {(row) => (
            <div class={`diff-row diff-${row.kind}`}>
              <span class="unseen">{spoken[row.kind]}</span>
              <span aria-hidden="true">{mark[row.kind]} </span>
              <Visible text={row.text} />
            </div>
          )}
        </For>
      </div>
      <Show when={isCut()}>
        <button type="button" class="quiet small" aria-pressed={full()} onClick={() => setFull(!full())}>
          {full() ? "Show the changes only" : "Show full diff"}
        </button>
      </Show>
    </div>
  );
}
