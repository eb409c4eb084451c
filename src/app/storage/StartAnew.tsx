import { createSignal } from "solid-js";
import * as t from "../texts/recovery.ts";

/** Starts an empty project after two confirmations: opening this, and checking the box. */
export function StartAnew(props: { hasCopy: boolean; busy: boolean; begin: () => void }) {
  const [sure, setSure] = createSignal(false);
  return (
    <details>
      <summary>{t.startAnew}</summary>
      <p>{props.hasCopy ? t.startAnewWithCopy : t.startAnewWhat}</p>
      <label class="sure">
        <input type="checkbox" checked={sure()} onChange={(event) => setSure(event.currentTarget.checked)} />
        <span>{t.sure}</span>
      </label>
      <div class="actions">
        <button type="button" class="quiet" disabled={!sure() || props.busy} onClick={() => props.begin()}>
          {t.startEmpty}
        </button>
      </div>
    </details>
  );
}
