import { createEffect, createSignal, type JSX, on } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import { nearEnd } from "./near-end.ts";
import type { Item } from "./Sidebar.tsx";

/** A list of any length. Only the rows in view are in the page. */
export default function LongRows(props: { items: readonly Item[]; row: (item: Item) => JSX.Element; nearEnd: () => void }) {
  const [list, setList] = createSignal<VListHandle>();
  function look() {
    const shown = list();
    if (shown && nearEnd({ scrollHeight: shown.scrollSize, clientHeight: shown.viewportSize, scrollTop: shown.scrollOffset })) {
      props.nearEnd();
    }
  }
  // A list that is shorter than its box never scrolls.
  createEffect(
    on([() => props.items, list], () => {
      requestAnimationFrame(look);
    }),
  );
  return (
    <VList ref={setList} class="rows" data={props.items} tabindex={-1} onScroll={look}>
      {(item) => props.row(item)}
    </VList>
  );
}
