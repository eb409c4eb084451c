import { createSignal } from "solid-js";
import { Problem } from "../ui/Problem.tsx";
import { leaveUnasked } from "../model/unsaved.ts";
import * as t from "../texts/removal.ts";
import { wantRemoval } from "./removal.ts";

/** Removes everything after two confirmations: opening this, and checking the box. The page reloads and does it. */
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
    // Unsaved text was mentioned above. If the page stayed open now, everything would be removed at some later time.
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
