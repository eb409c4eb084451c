import { createMemo, createSignal, For, onCleanup, Show } from "solid-js";
import { countedLines } from "../texts/characters.ts";
import { pieces } from "./cell.ts";
import { compareAway } from "./compare-away.ts";
import { fewPieces } from "./exact-parts.ts";
import type { Compared, Row, Run } from "./diff.ts";
import { createSteps } from "./create-steps.ts";
import * as t from "../texts/diff.ts";
import { Pieces } from "./Exact.tsx";
import { Visible } from "./Visible.tsx";
import { onChange } from "../ui/on-change.ts";

const mark: Readonly<Record<Row["kind"], string>> = { add: "+", remove: "-", same: " ", gap: "⋯" };
const spoken: Readonly<Record<Row["kind"], string>> = { add: t.added, remove: t.removed, same: "", gap: "" };
/** Runs that are added to the page at a time. */
const stride = 10;

export interface DiffProps {
  /** Null: the file doesn't exist. */
  readonly before: string | null;
  readonly after: string | null;
  /** The number of the first line of both texts; null if it isn't known. */
  readonly first: number | null;
  /** Rows that show until the reader asks for the rest. Unset for a diff to be approved, which shows whole. */
  readonly longest?: number;
}

export default function Diff(props: DiffProps) {
  const [compared, setCompared] = createSignal<Compared | null>(null);
  onChange([() => props.before, () => props.after, () => props.first], ([before, after, first]) => {
    let isOld = false;
    onCleanup(() => (isOld = true));
    compareAway({ before, after, first }, (found) => !isOld && setCompared(found));
  });
  const [full, setFull] = createSignal(false);
  const [whole, setWhole] = createSignal(false);
  const isCut = () => compared()?.near.some(({ kind }) => kind === "gap") === true;
  const all = createMemo(() => (full() ? compared()?.all : compared()?.near) ?? []);
  const runs = createMemo(() => (whole() ? all() : firstRows(all(), props.longest ?? Infinity)));
  const left = createMemo(() => countRows(all()) - countRows(runs()));
  const shown = createSteps(() => runs(), stride);
  return (
    <div class="diff">
      <Show when={compared()?.compared === false}>
        <p class="diff-note">{t.notCompared}</p>
      </Show>
      {/* Scrollable content must be reachable with the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div class="diff-rows" classList={{ numbered: props.first !== null }} tabindex={0}>
        <For each={shown()}>
          {(run) => (
            <div
              class={`diff-row diff-${run.kind}`}
              classList={{ "diff-run": run.rows > 1 && run.empty === undefined }}
              dir="ltr"
              data-number={run.number}
            >
              <span class="unseen">{spoken[run.kind]}</span>
              <span aria-hidden="true">{mark[run.kind]} </span>
              <RunText run={run} />
            </div>
          )}
        </For>
        <Show when={compared() === null || shown().length < runs().length}>
          <p class="loading" />
        </Show>
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

/** Hidden characters and look-alikes are marked in up to this many UTF-16 units. In a longer run, only hidden characters are. */
const maxMarked = 8_192;

function RunText(props: { run: Run }) {
  const text = () => (props.run.rows > 1 ? props.run.text.replaceAll("\n", `\n${mark[props.run.kind]} `) : props.run.text);
  return (
    <Show
      when={props.run.empty}
      fallback={
        <Show when={text().length <= maxMarked} fallback={<Visible text={text()} />}>
          <Pieces of={fewPieces(pieces(text(), "text"))} />
        </Show>
      }
    >
      {(count) => <Pieces of={[{ kind: "blanks", source: props.run.text, label: countedLines(count()) }]} />}
    </Show>
  );
}

const countRows = (runs: readonly Run[]) => runs.reduce((sum, { rows }) => sum + rows, 0);

/** The runs that contain the first rows. The last run may have more rows. */
function firstRows(runs: readonly Run[], most: number): readonly Run[] {
  let rows = 0;
  const end = runs.findIndex((run) => (rows += run.rows) >= most);
  return end < 0 ? runs : runs.slice(0, end + 1);
}
