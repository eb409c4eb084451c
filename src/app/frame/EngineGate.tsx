import { type JSX, Match, Show, Suspense, Switch, untrack } from "solid-js";
import { type EngineState, engineState, hasWorked } from "../engine-client/index.ts";
import { update } from "../pwa/update.ts";
import * as t from "../texts/frame.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { isTypedStored } from "../model/unsaved.ts";

const UpdateNotice = lazyPart(() => import("../pwa/UpdateNotice.tsx"));
const RecoveryPage = lazyPart(() => import("../storage/RecoveryPage.tsx"));

/** The state of an engine that can't be asked, if nothing is on the screen yet or everything typed on it is stored. */
function atFirst<Kind extends "failed" | "waiting" | "lost">(kind: Kind) {
  const state = engineState();
  return is(state, kind) && !hasWorked() && untrack(isTypedStored) && state;
}
function is<Kind extends EngineState["kind"]>(state: EngineState, kind: Kind): state is Extract<EngineState, { kind: Kind }> {
  return state.kind === kind;
}

/**
 * The app, or a page that says why the app can't be shown. Once shown, the app stays, because it holds what the user has typed. It then reports later
 * problems itself.
 */
export function EngineGate(props: { children: JSX.Element }) {
  return (
    <Switch fallback={props.children}>
      <Match when={atFirst("lost")}>
        <Suspense>
          <RecoveryPage />
        </Suspense>
      </Match>
      <Match when={atFirst("waiting")}>
        {(state) => (
          <main class="gate">
            <b class="name">{t.brand}</b>
            <h1>{t.waitingForTab}</h1>
            <output>{state().message}</output>
          </main>
        )}
      </Match>
      <Match when={atFirst("failed")}>
        {(failed) => (
          <main class="gate">
            <b class="name">{t.brand}</b>
            <h1>{t.engineFailed}</h1>
            <div role="alert">
              <p>{failed().message}</p>
              <p>{t.nothingChanged}</p>
            </div>
            <button type="button" class="primary" onClick={() => location.reload()}>
              {t.reload}
            </button>
            {/* An update of Vibey may fix the problem. */}
            <Suspense>
              <Show when={update()}>
                <UpdateNotice />
              </Show>
            </Suspense>
          </main>
        )}
      </Match>
    </Switch>
  );
}
