import { createSignal } from "solid-js";
import { Problem } from "../ui/Problem.tsx";
import { leaveUnasked } from "../model/unsaved.ts";
import * as t from "../texts/removal.ts";
import { wantRemoval } from "./removal.ts";

/** Asks twice whether everything is to go: to open this, and to say so. The page starts again and does it. */
export function RemoveAll() {
  const [sure, setSure] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  function begin() {
    try {
      wantRemoval();
    } catch (error) {
      setProblem(t.notBegun(error instanceof Error ? error.message : String(error)));
      return;
    }
    // What is typed and not saved was named above; were the page to stay now, everything would go at another time.
    leaveUnasked();
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
      <Problem text={problem()} />
    </details>
  );
}
