import { createMemo, createSignal, Show } from "solid-js";
import type { PriceView } from "../../protocol/index.ts";
import * as t from "../texts/prices.ts";
import { MoreRows } from "./MoreRows.tsx";
import { sameRow } from "./price-form.ts";
import { PriceTable } from "./PriceTable.tsx";

/** Rows that are in the page at first, and that each further click adds. */
const page = 50;

/** Prices from another source, with a filter. Each can be copied into the user's own prices. */
export function PriceList(props: {
  name: string;
  filterLabel: string;
  rows: readonly PriceView[];
  own: readonly PriceView[];
  change: (row: PriceView) => void;
}) {
  const [filter, setFilter] = createSignal("");
  const [shown, setShown] = createSignal(page);
  const rows = createMemo(() => {
    const wanted = filter().trim().toLowerCase();
    return props.rows.filter(({ model }) => model.toLowerCase().includes(wanted));
  });
  return (
    <>
      <input
        type="search"
        aria-label={props.filterLabel}
        placeholder={t.filter}
        value={filter()}
        onInput={(event) => {
          setFilter(event.currentTarget.value);
          setShown(page);
        }}
      />
      <Show when={rows().length > 0} fallback={<p class="cost-nothing">{t.noneFits}</p>}>
        <PriceTable
          name={props.name}
          rows={rows().slice(0, shown())}
          edited={() => null}
          actions={(row) => (
            <Show when={!props.own.some((own) => sameRow(own, row))} fallback={<small class="faint">{t.ownCounts}</small>}>
              <button type="button" class="quiet" aria-label={t.changeOf(row.model)} onClick={() => props.change(row)}>
                {t.change}
              </button>
            </Show>
          )}
        />
      </Show>
      <MoreRows rows={rows().length} shown={shown()} page={page} show={setShown} />
    </>
  );
}
