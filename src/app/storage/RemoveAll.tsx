import { createSignal } from "solid-js";
import * as t from "../texts/removal.ts";
import { wantRemoval } from "./removal.ts";

/** Asks twice whether everything is to go: to open this, and to say so. The page starts anew and does it. */
export function RemoveAll() {
  const [sure, setSure] = createSignal(false);
  function begin() {
    wantRemoval();
    location.reload();
  }
  return (
    <details class="remove-all">
      <summary>{t.offer}</summary>
      <p>{t.what}</p>
      <label class="sure">
        <input type="checkbox" checked={sure()} onChange={(event) => setSure(event.currentTarget.checked)} />
        <span>{t.sure}</span>
      </label>
      <button type="button" class="quiet" disabled={!sure()} onClick={begin}>
        {t.removeAll}
      </button>
    </details>
  );
}
