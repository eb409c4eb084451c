import { Show } from "solid-js";
import type { Activity } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { CommandButton } from "../ui/CommandButton.tsx";
import type { Command } from "../ui/commands.ts";
import * as t from "../texts/dialogs.ts";
import { Countdown } from "./Countdown.tsx";

/** The agent waits for its turn, and why. */
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

/** The provider failed and is asked again. */
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
 * The turn did not come to its own end; one click lets the agent continue. `failed`: the provider did, and gets the same request again; its
 * `settings` are near, since its key, its address or the model may be why.
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
