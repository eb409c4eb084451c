import { Show } from "solid-js";
import { type EngineState, leaveProject } from "../engine-client/index.ts";

/** Above an app that is open: nothing can be stored any more. What is on the screen stays there until the human leaves it. */
export default function LostBar(props: { state: EngineState }) {
  const failure = () => (props.state.kind === "failed" ? props.state.message : null);
  return (
    <div class="notice" role="alert">
      <Show
        when={failure()}
        fallback={
          <p>
            <b>This project's storage was taken away while it was open.</b> Nothing can be stored until you have chosen how to go on. What
            you have typed is still here.
          </p>
        }
      >
        {(message) => (
          <p>
            <b>The engine could not go on.</b> {message()} What you have typed is still here.
          </p>
        )}
      </Show>
      <button type="button" class="quiet" onClick={() => (failure() === null ? leaveProject() : location.reload())}>
        {failure() === null ? "See what can be restored" : "Reload"}
      </button>
    </div>
  );
}
