import { createSignal, createUniqueId, Show } from "solid-js";
import { ModelBox } from "../providers/ModelBox.tsx";
import * as t from "../texts/agent-form.ts";
import { createField, type FieldKey, type FieldProps } from "./field.ts";
import { modelNames } from "./models.ts";

/** A field of one line, or of several. */
export function TextField(props: FieldProps & FieldKey & { readonly long?: boolean }) {
  const field = createField(props, () => props);
  return (
    <label classList={{ long: props.long }}>
      <span>{props.label}</span>
      <Show
        when={props.long}
        fallback={
          <input
            autocomplete="off"
            value={field.text()}
            onInput={(event) => field.type(event.currentTarget.value)}
            onKeyDown={(event) => field.onKey(event)}
            onBlur={() => field.write()}
          />
        }
      >
        <textarea
          rows={2}
          value={field.text()}
          onInput={(event) => field.type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.isComposing) event.preventDefault();
            field.onKey(event);
          }}
          onBlur={() => field.write()}
        />
      </Show>
    </label>
  );
}

const modelKey: FieldKey = { of: ({ model }) => model ?? "", to: (text) => ({ model: text }) };

/** The model, with suggestions from the providers. */
export function ModelField(props: Omit<FieldProps, "label">) {
  const id = createUniqueId();
  const [models, setModels] = createSignal<readonly string[] | null>([]);
  let asked = false;
  async function visit() {
    if (asked) return;
    asked = true;
    setModels(null);
    setModels(await modelNames());
  }
  const field = createField(
    {
      label: t.model,
      get value() {
        return props.value;
      },
      change: (change) => props.change(change),
    },
    () => modelKey,
  );
  return (
    <div class="agent-model">
      <label for={id}>{t.model}</label>
      <ModelBox
        id={id}
        placeholder={t.usualModel}
        value={field.text()}
        models={models()}
        visit={() => void visit()}
        change={(model) => field.type(model)}
        choose={(model) => {
          field.type(model);
          field.write();
        }}
        leave={() => field.write()}
        hear={(event) => field.onKey(event)}
      />
    </div>
  );
}
