import { createEffect, createSignal, on, Show } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { outcomeWords } from "../history/words.ts";
import { formatRoute } from "../shell/route.ts";
import { counted } from "../shell/words.ts";
import { type TurnChanges, undoTurn } from "./turn-changes.ts";

/** The quiet line at the end of a turn that changed files: what it changed, to be looked at or taken back. */
export function TurnEnd(props: { changes: TurnChanges }) {
  const [busy, setBusy] = createSignal(false);
  const [outcome, setOutcome] = createSignal<string | null>(null);
  const [failed, setFailed] = createSignal(false);
  createEffect(
    on(
      () => props.changes,
      () => setOutcome(null),
      { defer: true },
    ),
  );
  async function takeBack() {
    setBusy(true);
    const answer = await undoTurn(props.changes);
    setBusy(false);
    setFailed(!answer.ok);
    setOutcome(answer.ok ? `Undone. ${outcomeWords(answer.value, "undone")}` : `Not undone: ${answer.message}`);
  }
  return (
    <section class="turn-end" aria-label="What this turn changed">
      <span>Changed {counted(props.changes.files, "file")}</span>
      <a class="action" href={formatRoute({ tab: "history", commit: props.changes.commits[0] ?? null, path: null })}>
        Show
      </a>
      <Show when={outcome() === null || failed()}>
        <button type="button" disabled={busy()} onClick={() => void takeBack()}>
          Undo
        </button>
      </Show>
      <output class="outcome" classList={{ problem: failed() }}>
        <Visible text={outcome() ?? ""} />
      </output>
    </section>
  );
}
