import { createMemo, createSignal, For, type JSX, Show } from "solid-js";
import type { CostSum } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { number } from "../ui/format.ts";
import * as t from "../texts/cost.ts";
import { money, moneyExact } from "./money.ts";
import { MoreRows } from "./MoreRows.tsx";
import { type Column, type CostRow, sorted, type Grouping } from "./rows.ts";

/** Rows that are in the page at first, and that each further click adds. */
const page = 100;

const columns: readonly {
  readonly column: Column;
  readonly title: string;
  readonly wide?: true;
  readonly cell: (props: { sum: CostSum }) => JSX.Element;
}[] = [
  { column: "nanos", title: t.columnCost, cell: Spent },
  { column: "responses", title: t.columnResponses, cell: Responses },
  { column: "input", title: t.columnInput, wide: true, cell: (props) => <>{number(props.sum.input)}</> },
  { column: "output", title: t.columnOutput, wide: true, cell: (props) => <>{number(props.sum.output)}</> },
];

/** What was spent, one row each: sortable by every column, with any number of rows. */
export function CostTable(props: { way: Grouping; rows: readonly CostRow[]; total: CostSum }) {
  const [by, setBy] = createSignal<{ readonly column: Column; readonly up: boolean }>({ column: "nanos", up: false });
  const [shown, setShown] = createSignal(page);
  const rows = createMemo(() => sorted(props.rows, by().column, by().up));
  const turn = (column: Column) => setBy((now) => ({ column, up: now.column === column ? !now.up : column === "name" }));
  const direction = (column: Column) => (by().column !== column ? "none" : by().up ? "ascending" : "descending");

  function Heading(heading: { column: Column; title: string; wide?: boolean | undefined }) {
    return (
      <th scope="col" aria-sort={direction(heading.column)} classList={{ amount: heading.column !== "name", wide: heading.wide === true }}>
        <button type="button" onClick={() => turn(heading.column)}>
          {heading.title}
          <span aria-hidden="true">{direction(heading.column) === "none" ? "" : by().up ? " ↑" : " ↓"}</span>
        </button>
      </th>
    );
  }
  return (
    <>
      <table class="cost-table">
        <caption class="unseen">{t.costBy(props.way)}</caption>
        <thead>
          <tr>
            <Heading column="name" title={t.columnOf(props.way)} />
            <For each={columns}>{(heading) => <Heading {...heading} />}</For>
          </tr>
        </thead>
        <tbody>
          <For each={rows().slice(0, shown())}>
            {(row) => (
              <tr>
                <th scope="row">
                  <Show when={row.href} fallback={visible(row.title)}>
                    {(href) => <a href={href()}>{visible(row.title)}</a>}
                  </Show>
                </th>
                <Amounts sum={row.sum} />
              </tr>
            )}
          </For>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.all(props.rows.length)}</th>
            <Amounts sum={props.total} />
          </tr>
        </tfoot>
      </table>
      <MoreRows rows={rows().length} shown={shown()} page={page} show={setShown} />
    </>
  );
}

function Amounts(props: { sum: CostSum }) {
  return (
    <For each={columns}>
      {({ wide, cell: Cell }) => (
        <td class="amount" classList={{ wide: wide === true }}>
          <Cell sum={props.sum} />
        </td>
      )}
    </For>
  );
}

/** Whether none of its responses has a price. */
const allUnknown = (sum: CostSum) => sum.responses > 0 && sum.unpriced === sum.responses;

function Spent(props: { sum: CostSum }) {
  return (
    <span title={moneyExact(props.sum.nanos)}>
      {allUnknown(props.sum) ? <span class="faint">{t.costUnknown}</span> : money(props.sum.nanos)}
    </span>
  );
}

function Responses(props: { sum: CostSum }) {
  return (
    <>
      {number(props.sum.responses)}
      <Show when={props.sum.unpriced > 0 && !allUnknown(props.sum)}>
        <small title={t.unpricedExact(props.sum.unpriced)}>{t.unpriced(props.sum.unpriced)}</small>
      </Show>
    </>
  );
}
