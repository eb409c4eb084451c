import { For, type JSX, Show } from "solid-js";
import type { PriceView } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import * as t from "../texts/prices.ts";
import { fields, fieldTitles, shownPrice } from "./price-form.ts";

/** Prices, a row each, as many as are given; `edited` stands in the place of the row that is being changed. */
export function PriceTable(props: {
  name: string;
  rows: readonly PriceView[];
  edited: (row: PriceView) => JSX.Element | null;
  actions: (row: PriceView) => JSX.Element;
}) {
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
        <For each={props.rows}>
          {(row) => (
            <tr>
              <Show
                when={props.edited(row)}
                fallback={
                  <>
                    <th scope="row">
                      {visible(row.model)}
                      <small>{visible(row.origin.replace(/^https:\/\//, ""))}</small>
                    </th>
                    <For each={fields}>
                      {(field) => (
                        <td class="amount" data-title={fieldTitles[field]}>
                          {shownPrice(row[field]) ?? <span class="faint">{t.asInput}</span>}
                        </td>
                      )}
                    </For>
                    <td class="row-actions">{props.actions(row)}</td>
                  </>
                }
              >
                {(form) => <td colspan={6}>{form()}</td>}
              </Show>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  );
}
