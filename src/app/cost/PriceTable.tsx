import { createMemo, For, type JSX, Show, untrack } from "solid-js";
import type { PriceView } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/prices.ts";
import { fields, fieldTitles, shownPrice } from "./price-form.ts";

interface RowActions {
  edited: (row: PriceView) => JSX.Element | null;
  actions: (row: PriceView) => JSX.Element;
}

/** One row per address and model. Prices are new objects each time they are read; unchanged rows keep their old object. */
function rowsByKey(rows: readonly PriceView[], last: ReadonlyMap<string, PriceView>): ReadonlyMap<string, PriceView> {
  return new Map(
    rows.map((row) => {
      const key = `${row.origin} ${row.model}`;
      const before = last.get(key);
      return [key, before !== undefined && fields.every((field) => before[field] === row[field]) ? before : row];
    }),
  );
}

/** The given prices, one row each. `edited` replaces the row that is being changed. */
export function PriceTable(props: RowActions & { name: string; rows: readonly PriceView[] }) {
  const rows = createMemo((last: ReadonlyMap<string, PriceView>) => rowsByKey(props.rows, last), new Map());
  return (
    <table class="price-table">
      <caption class="unseen">{props.name}</caption>
      <thead>
        <tr>
          <th scope="col">{t.model}</th>
          <For each={fields}>
            {(field) => (
              <th scope="col" class="amount">
                {fieldTitles[field]}
              </th>
            )}
          </For>
          <th scope="col">
            <span class="unseen">{t.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <For each={Array.from(rows().keys())}>
          {(key) => <Show when={rows().get(key)}>{(row) => <Row row={row()} edited={props.edited} actions={props.actions} />}</Show>}
        </For>
      </tbody>
    </table>
  );
}

function Row(props: RowActions & { row: PriceView }) {
  return (
    <tr>
      {/* Typed text stays, even if the row changes in the meantime. */}
      <Show
        when={props.edited(untrack(() => props.row))}
        fallback={
          <>
            <th scope="row">
              {visible(props.row.model)}
              <small>{visible(props.row.origin.replace(/^https:\/\//, ""))}</small>
            </th>
            <For each={fields}>
              {(field) => (
                <td class="amount" data-title={fieldTitles[field]}>
                  {shownPrice(props.row[field]) ?? <span class="faint">{t.asInput}</span>}
                </td>
              )}
            </For>
            <td class="row-actions">{props.actions(props.row)}</td>
          </>
        }
      >
        {(form) => <td colspan={6}>{form()}</td>}
      </Show>
    </tr>
  );
}
