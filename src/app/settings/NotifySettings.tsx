import { createSignal, Show } from "solid-js";
import { chooseNotify, notifyState } from "../notify/choice.ts";
import * as t from "../texts/settings.ts";

const words = {
  refused: t.notifyRefused,
  impossible: t.notifyImpossible,
} as const;

/** Whether the user is notified of waiting dialogs while Vibey is out of view. */
export function NotifySettings() {
  const [state, setState] = createSignal(notifyState());
  const problem = () => {
    const now = state();
    return now === "refused" || now === "impossible" ? words[now] : null;
  };
  return (
    <fieldset class="themes notify">
      <legend>{t.notifications}</legend>
      <label>
        <input
          type="checkbox"
          checked={state() === "on" || state() === "refused"}
          disabled={state() === "impossible"}
          onChange={async (event) => setState(await chooseNotify(event.currentTarget.checked))}
        />
        {t.notify}
      </label>
      <Show when={problem()}>{(text) => <p class="problem">{text()}</p>}</Show>
    </fieldset>
  );
}
