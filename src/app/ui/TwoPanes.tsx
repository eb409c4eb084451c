import type { JSX } from "solid-js";

/** A list and its open item: side by side, or one at a time if there is no room for both. */
export function TwoPanes(props: { open: boolean; back: string; title: string; onBack: () => void; side: JSX.Element; main: JSX.Element }) {
  return (
    <div class="panes" classList={{ open: props.open }}>
      {props.side}
      <div class="main">
        <div class="main-head">
          <button type="button" class="quiet" onClick={() => props.onBack()}>
            ‹ <span class="back-to">{props.back}</span>
          </button>
          <span>{props.title}</span>
        </div>
        {props.main}
      </div>
    </div>
  );
}
