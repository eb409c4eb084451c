import { createSignal, For, onMount, Show } from "solid-js";
import { createStore } from "solid-js/store";
import type { PriceView } from "../../engine/api.ts";
import { type Field, fields, fieldTitles, readRow, type Typed } from "./price-form.ts";

/** A price being typed, in the place of its row. `save` answers null, or why it was not saved. */
export function PriceEdit(props: {
  row: Typed;
  origins: readonly string[];
  save: (price: PriceView) => Promise<string | null>;
  cancel: () => void;
}) {
  // Where a person begins; what is typed stays, whatever changes meanwhile.
  // oxlint-disable-next-line solid/reactivity
  const [row, setRow] = createStore<Record<Field | "origin" | "model", string>>({ ...props.row });
  const [problem, setProblem] = createSignal<{ readonly field: Field | "origin" | "model" | null; readonly why: string } | null>(null);
  const [busy, setBusy] = createSignal(false);
  let form: HTMLFormElement | undefined;

  async function submit() {
    const read = readRow(row);
    if (!read.ok) {
      setProblem(read);
      form?.querySelector<HTMLInputElement>(`[name="${read.field}"]`)?.focus();
      return;
    }
    setBusy(true);
    const why = await props.save(read.price);
    setBusy(false);
    setProblem(why === null ? null : { field: null, why: `Not saved: ${why}` });
  }
  onMount(() => form?.querySelector<HTMLInputElement>(`[name="${row.model === "" ? "model" : "input"}"]`)?.focus());

  const marks = (field: Field | "origin" | "model") =>
    problem()?.field === field ? ({ "aria-invalid": "true", "aria-describedby": "price-problem" } as const) : {};
  return (
    <form
      ref={(element) => {
        form = element;
      }}
      class="price-edit"
      aria-label="A price"
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label class="wide">
        <span>Provider's address</span>
        <input
          name="origin"
          type="url"
          list="price-origins"
          autocomplete="off"
          value={row.origin}
          onInput={(event) => setRow("origin", event.currentTarget.value)}
          {...marks("origin")}
        />
      </label>
      <datalist id="price-origins">
        <For each={props.origins}>{(origin) => <option value={origin}>{origin}</option>}</For>
      </datalist>
      <label class="wide">
        <span>Model</span>
        <input
          name="model"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder="its id, or gpt-5*"
          value={row.model}
          onInput={(event) => setRow("model", event.currentTarget.value)}
          {...marks("model")}
        />
      </label>
      <For each={fields}>
        {(field) => (
          <label>
            <span>{fieldTitles[field]}</span>
            <input
              name={field}
              inputmode="decimal"
              autocomplete="off"
              placeholder={field === "cacheRead" || field === "cacheWrite" ? "as input" : ""}
              value={row[field]}
              onInput={(event) => setRow(field, event.currentTarget.value)}
              {...marks(field)}
            />
          </label>
        )}
      </For>
      <div class="buttons wide">
        <button type="submit" class="primary" disabled={busy()}>
          Save
        </button>
        <button type="button" class="quiet" onClick={() => props.cancel()}>
          Cancel
        </button>
        <p id="price-problem" class="problem" role="alert">
          <Show when={problem()}>{(now) => now().why}</Show>
        </p>
      </div>
    </form>
  );
}
