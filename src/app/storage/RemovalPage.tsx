import { createSignal, For, Match, onMount, Switch } from "solid-js";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/removal.ts";
import { endRemoval } from "./removal.ts";
import { browserWorld, type Left, removeAll, type RemovalStep } from "./remove-all.ts";
import { onChange } from "../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./storage.css";

type State = RemovalStep | "removed" | { readonly left: readonly Left[] };

/** Removes everything that Vibey has stored, and shows the progress. No engine runs at the same time. */
export default function RemovalPage() {
  const [state, setState] = createSignal<State>("removes");
  const [heading, setHeading] = createSignal<HTMLElement>();
  let busy = false;
  async function remove() {
    if (busy) return;
    busy = true;
    setState("removes");
    try {
      const end = await removeAll(browserWorld(), setState);
      if (end.kind === "kept") return location.reload();
      setState(end.kind === "removed" ? "removed" : { left: end.left });
    } catch (error) {
      setState({ left: [{ what: t.browser, why: error instanceof Error ? error.message : String(error) }] });
    }
    busy = false;
  }
  function keep() {
    endRemoval();
    location.reload();
  }
  onMount(() => void remove());
  // The outcome gets the focus.
  onChange(heading, (element) => element?.focus());
  const left = () => {
    const now = state();
    return typeof now === "object" ? now.left : null;
  };
  return (
    <main class="recovery">
      <b class="name">{t.brand}</b>
      <Switch>
        <Match when={state() === "removed"}>
          <h1 ref={setHeading} tabindex={-1}>
            {t.done}
          </h1>
          <p>{t.doneWords}</p>
          <div class="actions">
            <button type="button" class="primary" onClick={() => location.reload()}>
              {t.begin}
            </button>
          </div>
        </Match>
        <Match when={left()}>
          {(all) => (
            <>
              <h1 ref={setHeading} tabindex={-1}>
                {t.failed}
              </h1>
              <ul>
                <For each={all()}>
                  {({ what, why }) => (
                    <li>
                      <Visible text={t.stays(what, why)} />
                    </li>
                  )}
                </For>
              </ul>
              <p>{t.failedWords}</p>
              <div class="actions">
                <button type="button" class="primary" onClick={() => void remove()}>
                  {t.tryAgain}
                </button>
                <button type="button" class="quiet" onClick={keep}>
                  {t.keepRest}
                </button>
              </div>
            </>
          )}
        </Match>
        <Match when={state() === "waits"}>
          <h1>{t.removing}</h1>
          <output>{t.waitsForTabs}</output>
          <div class="actions">
            <button type="button" class="primary" onClick={keep}>
              {t.keepEverything}
            </button>
          </div>
        </Match>
        <Match when={state() === "removes" || state() === "blocked"}>
          <h1>{t.removing}</h1>
          <output>{state() === "blocked" ? t.blocked : t.oneMoment}</output>
        </Match>
      </Switch>
    </main>
  );
}
