import { Show } from "solid-js";
import type { Activity } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { CommandButton } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import * as t from "../texts/dialogs.ts";
import { Countdown } from "./Countdown.tsx";

/** Shows that the agent waits for its turn, and why. */
export function QueuedStrip(props: { place: Activity & { readonly kind: "queued" } }) {
  return (
    <p class="column strip">
      <span>
        <Show when={props.place.needs === undefined}>{props.place.ahead === 0 ? t.nextToBegin : t.waitsForTurn(props.place.ahead)} </Show>
        <Visible text={props.place.reason} />
      </span>
    </p>
  );
}

/** Shows that the provider failed and will be tried again. */
export function RetryStrip(props: { retry: Activity & { readonly kind: "retrying" }; stop: Command }) {
  return (
    <p class="column strip">
      <span>
        <Countdown at={props.retry.at} reason={props.retry.reason} />
      </span>
      <CommandButton of={props.stop} class="quiet" />
    </p>
  );
}

/**
 * The turn was cut short; one click lets the agent continue. `failed`: the provider failed, and gets the same request again. Its `settings` are
 * offered too, because the key, the address or the model may be the cause.
 */
export function ResumeStrip(props: { resume: Command; failed: boolean; settings: (() => void) | null }) {
  return (
    <div class="column resume">
      <CommandButton of={props.resume} class="primary" />
      <Show when={!props.failed}>
        <span>{t.sendsText(t.pleaseContinue)}</span>
      </Show>
      <Show when={props.failed && props.settings}>
        {(open) => (
          <button type="button" class="quiet" onClick={() => open()()}>
            {t.checkProvider}
          </button>
        )}
      </Show>
    </div>
  );
}
