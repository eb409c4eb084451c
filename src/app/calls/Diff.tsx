import { createMemo, createSignal, For, Show } from "solid-js";
import { diffRows, type Row, withContext } from "./diff.ts";
import * as t from "../texts/diff.ts";
import { Visible } from "./Visible.tsx";

const contextLines = 3;
const mark: Readonly<Record<Row["kind"], string>> = { add: "+", remove: "-", same: " ", gap: "⋯" };
const spoken: Readonly<Record<Row["kind"], string>> = { add: t.added, remove: t.removed, same: "", gap: "" };

export interface DiffProps {
  /** Null: there is no such file. */
  readonly before: string | null;
  readonly after: string | null;
  /** Rows that show until one asks for the rest. Not for what is to be approved: that shows whole. */
  readonly longest?: number;
}

export default function Diff(props: DiffProps) {
  const all = createMemo(() => diffRows(props.before, props.after));
  const near = createMemo(() => withContext(all(), contextLines));
  const [full, setFull] = createSignal(false);
  const [whole, setWhole] = createSignal(false);
  const isCut = () => near().some((row) => row.kind === "gap");
  const rows = () => (full() ? all() : near());
  const longest = () => (whole() ? Infinity : (props.longest ?? Infinity));
  const left = () => rows().length - longest();
  return (
    <div class="diff">
      {/* What scrolls must be reachable with keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div class="diff-rows" tabindex={0}>
        <For each={left() > 0 ? rows().slice(0, longest()) : rows()}>
          {(row) => (
            <div class={`diff-row diff-${row.kind}`}>
              <span class="unseen">{spoken[row.kind]}</span>
              <span aria-hidden="true">{mark[row.kind]} </span>
              <Visible text={row.text} />
            </div>
          )}
        </For>
      </div>
      <Show when={left() > 0}>
        <button type="button" class="quiet small" onClick={() => setWhole(true)}>
          {t.showMore(left())}
        </button>
      </Show>
      <Show when={isCut()}>
        <button type="button" class="quiet small" aria-pressed={full()} onClick={() => setFull(!full())}>
          {full() ? t.changesOnly : t.fullDiff}
        </button>
      </Show>
    </div>
  );
}
