import { type JSX, Match, Switch } from "solid-js";
import { engineState } from "../engine-client/index.ts";

function failure() {
  const state = engineState();
  return state.kind === "failed" && state;
}

/** The app, or a page that says why it can't be shown. */
export function EngineGate(props: { children: JSX.Element }) {
  return (
    <Switch fallback={props.children}>
      <Match when={engineState().kind === "elsewhere"}>
        <div class="gate" aria-live="polite">
          <b class="name">vibey</b>
          <h1>Open in another tab</h1>
          <p>This project is open in another tab of this browser. Close that one and this one goes on where it was.</p>
        </div>
      </Match>
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
          </div>
        )}
      </Match>
    </Switch>
  );
}
