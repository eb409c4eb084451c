import { Show } from "solid-js";
import * as t from "../texts/cost.ts";

/** A button for the next rows of a long table, shown while some are not in the page. `page`: how many rows a click adds. */
export function MoreRows(props: { rows: number; shown: number; page: number; show: (rows: number) => void }) {
  return (
    <Show when={props.rows > props.shown}>
      <button type="button" class="quiet more-rows" onClick={() => props.show(props.shown + props.page)}>
        {t.showMore(Math.min(props.page, props.rows - props.shown), props.rows)}
      </button>
    </Show>
  );
}
