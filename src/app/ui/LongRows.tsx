import { createSignal, type JSX } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import { nearEnd } from "./near-end.ts";
import { onChange } from "./on-change.ts";

/** A list of any length. Only the rows in view are in the page. */
export default function LongRows(props: { keys: readonly string[]; row: (key: string) => JSX.Element; nearEnd: () => void }) {
  const [list, setList] = createSignal<VListHandle>();
  function look() {
    const shown = list();
    if (shown && nearEnd({ scrollHeight: shown.scrollSize, clientHeight: shown.viewportSize, scrollTop: shown.scrollOffset })) {
      props.nearEnd();
    }
  }
  // A list that is shorter than its box never scrolls.
  onChange([() => props.keys, list], () => {
    requestAnimationFrame(look);
  });
  return (
    <VList ref={setList} class="rows" data={props.keys} tabindex={-1} onScroll={look}>
      {(key) => props.row(key)}
    </VList>
  );
}
