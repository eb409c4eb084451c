import { createSignal, Match, onMount, Switch } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/removal.ts";
import { browserWorld, removeAll, type RemovalStep } from "./remove-all.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./storage.css";

type State = RemovalStep | { readonly kind: "done" } | { readonly kind: "failed"; readonly why: string };

/** Removes everything of Vibey's, and says how far that is. No engine runs beside it. */
export default function RemovalPage() {
  const [state, setState] = createSignal<State>({ kind: "removes" });
  async function remove() {
    try {
      await removeAll(browserWorld(), setState);
      setState({ kind: "done" });
    } catch (error) {
      setState({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
    }
  }
  onMount(() => void remove());
  const failed = () => {
    const now = state();
    return now.kind === "failed" ? now.why : null;
  };
  return (
    <main class="recovery">
      <b class="name">{t.brand}</b>
      <Switch>
        <Match when={state().kind === "done"}>
          <h1>{t.done}</h1>
          <p>{t.doneWords}</p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => location.reload()}>
              {t.begin}
            </button>
          </div>
        </Match>
        <Match when={failed()}>
          {(why) => (
            <>
              <h1>{t.failed}</h1>
              <p role="alert">
                <Visible text={why()} />
              </p>
              <p>{t.failedWords}</p>
              <div class="actions">
                <button type="button" class="primary" onClick={() => void remove()}>
                  {t.tryAgain}
                </button>
              </div>
            </>
          )}
        </Match>
        <Match when={state().kind === "waits-for-tabs"}>
          <h1>{t.removing}</h1>
          <output>{t.waitsForTabs}</output>
        </Match>
        <Match when={state().kind === "removes"}>
          <h1>{t.removing}</h1>
        </Match>
      </Switch>
    </main>
  );
}
