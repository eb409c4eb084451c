import { For, Show } from "solid-js";
import { ModelBox } from "../providers/ModelBox.tsx";
import { providers } from "../providers/names.ts";
import * as t from "../texts/composer.ts";
import type { ProviderChoice } from "./provider-choice.ts";

/** Chooses who answers. `own`: the dialog's own provider, which this page may not know. */
export function ProviderPick(props: { choice: ProviderChoice; own: string }) {
  return (
    <>
      <label class="pick">
        <span class="unseen">{t.provider}</span>
        <select value={props.choice.provider()} onChange={(event) => props.choice.chooseProvider(event.currentTarget.value)}>
          <For each={providers}>{(one) => <option value={one.name}>{props.choice.label(one.name, one.label)}</option>}</For>
          <Show when={!providers.some((one) => one.name === props.own)}>
            <option value={props.own}>{props.own}</option>
          </Show>
        </select>
      </label>
      {/* The demo has only one model. */}
      <Show when={props.choice.provider() !== "demo"}>
        <div class="pick model-pick">
          <ModelBox
            label={t.model}
            placeholder={props.choice.state()?.model || t.usualModel}
            value={props.choice.model()}
            models={props.choice.models()}
            visit={() => props.choice.visitModels()}
            change={(model) => props.choice.chooseModel(model)}
          />
        </div>
      </Show>
    </>
  );
}
