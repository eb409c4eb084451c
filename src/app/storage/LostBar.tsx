import { Show } from "solid-js";
import { type EngineState, leaveProject } from "../engine-client/index.ts";
import * as t from "../texts/lost.ts";
import { Parts } from "../texts/Parts.tsx";

/** Shown above an open app: nothing can be stored anymore. What is on the screen stays until the user leaves it. */
export default function LostBar(props: { state: EngineState }) {
  const failure = () => (props.state.kind === "failed" ? props.state.message : null);
  return (
    <div class="notice" role="alert">
      <Show
        when={failure()}
        fallback={
          <p>
            <Parts of={t.takenAway} />
          </p>
        }
      >
        {(message) => (
          <p>
            <Parts of={t.engineStopped(message())} />
          </p>
        )}
      </Show>
      <button type="button" class="quiet" onClick={() => (failure() === null ? leaveProject() : location.reload())}>
        {failure() === null ? t.seeWhatCanBeRestored : t.reload}
      </button>
    </div>
  );
}
