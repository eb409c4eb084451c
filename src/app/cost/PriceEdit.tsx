import { createSignal, For, onMount } from "solid-js";
import { createStore } from "solid-js/store";
import type { PriceView } from "../../protocol/index.ts";
import * as t from "../texts/prices.ts";
import { type Field, fields, fieldTitles, readRow, type Typed } from "./price-form.ts";

/** A form for a price, in place of its row. `save` resolves to null, or to why the price was not saved. */
export function PriceEdit(props: {
  row: Typed;
  origins: readonly string[];
  save: (price: PriceView) => Promise<string | null>;
  cancel: () => void;
}) {
  // Only the initial values. What is typed stays, whatever changes in the meantime.
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
    setProblem(why === null ? null : { field: null, why: t.notSaved(why) });
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
      aria-label={t.form}
      novalidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label class="wide">
        <span>{t.address}</span>
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
        <span>{t.model}</span>
        <input
          name="model"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={t.modelHint}
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
              placeholder={field === "cacheRead" || field === "cacheWrite" ? t.asInput : ""}
              value={row[field]}
              onInput={(event) => setRow(field, event.currentTarget.value)}
              {...marks(field)}
            />
          </label>
        )}
      </For>
      <div class="buttons wide">
        <button type="submit" class="primary" disabled={busy()}>
          {t.save}
        </button>
        <button type="button" class="quiet" onClick={() => props.cancel()}>
          {t.cancel}
        </button>
        <p id="price-problem" class="problem" role="alert">
          {problem()?.why}
        </p>
      </div>
    </form>
  );
}
