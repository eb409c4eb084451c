import { createMemo, createSignal } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import { outcomeWords } from "../history/format.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/messages.ts";
import { type TurnChanges, turnWords, undoAll } from "./turn-changes.ts";
import { onChange } from "../ui/on-change.ts";

/** The line at the end of a turn that changed files. It links to the changes, and can undo and redo them. */
export function TurnEnd(props: { changes: TurnChanges }) {
  const [busy, setBusy] = createSignal(false);
  const [outcome, setOutcome] = createSignal<string | null>(null);
  const [failed, setFailed] = createSignal(false);
  const newest = createMemo(() => props.changes.commits[0]);
  onChange(
    () => newest(),
    () => setOutcome(null),
    { defer: true },
  );
  async function take(commits: readonly string[], done: "undone" | "redone") {
    setBusy(true);
    const answer = await undoAll(commits);
    setBusy(false);
    setFailed(!answer.ok);
    setOutcome(
      answer.ok ? outcomeWords(answer.value, done) : done === "undone" ? t.notUndone(answer.message) : t.notRedone(answer.message),
    );
  }
  async function press() {
    const { undone, commits } = props.changes;
    if (!busy()) await take(undone?.commits ?? commits, undone ? "redone" : "undone");
  }
  return (
    <section class="turn-end" aria-label={t.turnChanges}>
      <span>{turnWords(props.changes)}</span>
      <a class="action" href={formatRoute({ tab: "history", commit: newest() ?? null, path: null })}>
        {t.show}
      </a>
      {/* One button that is never disabled, so that it keeps the focus. */}
      <button type="button" aria-disabled={busy()} onClick={() => void press()}>
        {props.changes.undone ? t.redo : t.undo}
      </button>
      <output class="outcome" classList={{ problem: failed() }}>
        <Visible text={outcome() ?? ""} />
      </output>
    </section>
  );
}
