import { createSignal, Show } from "solid-js";
import { ByKey } from "../ui/ByKey.tsx";
import type { BackgroundView } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/dialogs.ts";
import { backgroundState, backgroundWords } from "./background-format.ts";
import { onChange } from "../ui/on-change.ts";

/** The commands that run in the background, and those that have ended since the engine started. */
export function Background(props: { commands: readonly BackgroundView[]; stop: (id: string) => void }) {
  const runs = () => props.commands.filter(({ state }) => state === "running").length;
  const [open, setOpen] = createSignal(false);
  const [summary, setSummary] = createSignal<HTMLElement>();
  // Opens when another command starts. Only the reader closes it.
  onChange(runs, (now, before) => {
    if (now > (before ?? 0)) setOpen(true);
  });
  function stop(id: string) {
    // The button is about to disappear, and the focus would be lost with it.
    summary()?.focus();
    props.stop(id);
  }
  return (
    <Show when={props.commands.length > 0}>
      <details class="column background" open={open()} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary ref={setSummary}>
          {t.background}
          <small>{backgroundWords(props.commands)}</small>
        </summary>
        <ul aria-label={t.backgroundList}>
          <ByKey each={props.commands} by={({ id }) => id}>
            {(command) => (
              <li class={`background-${command().state}`}>
                <code title={visible(command().command)}>
                  <Visible text={command().command} />
                </code>
                <span>{backgroundState(command())}</span>
                <Show when={command().state === "running"}>
                  <button
                    type="button"
                    class="quiet small"
                    aria-label={t.stopCommand(visible(command().command))}
                    onClick={() => stop(command().id)}
                  >
                    {t.stop}
                  </button>
                </Show>
              </li>
            )}
          </ByKey>
        </ul>
      </details>
    </Show>
  );
}
