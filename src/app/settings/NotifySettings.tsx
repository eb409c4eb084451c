import { createSignal, Show } from "solid-js";
import { chooseNotify, notifyState } from "../notify/choice.ts";

const words = {
  refused: "Your browser refuses Vibey's notifications. Allow them in the browser's settings for this site.",
  impossible: "This browser has no notifications for pages.",
} as const;

/** Whether the person is told that a dialog waits while Vibey is out of sight. */
export function NotifySettings() {
  const [state, setState] = createSignal(notifyState());
  const problem = () => {
    const now = state();
    return now === "refused" || now === "impossible" ? words[now] : null;
  };
  return (
    <fieldset class="themes notify">
      <legend>Notifications</legend>
      <label>
        <input
          type="checkbox"
          checked={state() === "on" || state() === "refused"}
          disabled={state() === "impossible"}
          onChange={async (event) => setState(await chooseNotify(event.currentTarget.checked))}
        />
        Tell me when a dialog waits for me and Vibey is out of sight
      </label>
      <Show when={problem()}>{(text) => <p class="problem">{text()}</p>}</Show>
    </fieldset>
  );
}
