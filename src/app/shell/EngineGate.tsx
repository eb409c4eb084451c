import { type JSX, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { engineState } from "../engine-client/index.ts";
import { update } from "../pwa/update.ts";

const UpdateNotice = lazy(() => import("../pwa/UpdateNotice.tsx"));

function failure() {
  const state = engineState();
  return state.kind === "failed" && state;
}

/** The app, or a page that says why it can't be shown. */
export function EngineGate(props: { children: JSX.Element }) {
  return (
    <Switch fallback={props.children}>
      <Match when={failure()}>
        {(failed) => (
          <div class="gate" role="alert">
            <b class="name">vibey</b>
            <h1>The engine could not start</h1>
            <p>{failed().message}</p>
            <p>Nothing of your project was changed. Reloading the page tries again.</p>
            <button type="button" class="primary" onClick={() => location.reload()}>
              Reload
            </button>
            {/* What is wrong may be mended there. */}
            <Suspense>
              <Show when={update()}>
                <UpdateNotice busy={false} />
              </Show>
            </Suspense>
          </div>
        )}
      </Match>
    </Switch>
  );
}
