import { createSignal, Show } from "solid-js";
import * as t from "../texts/frame.ts";

export interface NameFieldsProps {
  readonly label: string;
  /** The label of a checkbox beside the name; undefined: there is none. */
  readonly option?: string | undefined;
  /** Resolves to what is wrong, or to null if it succeeded. */
  readonly submit: (name: string, isChecked: boolean) => Promise<string | null>;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** A field for a name, and what is wrong with it. */
export default function NameFields(props: NameFieldsProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);

  async function send(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    if (busy()) return;
    const given = new FormData(event.currentTarget);
    const name = given.get("name");
    setBusy(true);
    const wrong = await props.submit(typeof name === "string" ? name : "", given.has("option"));
    setBusy(false);
    if (wrong === null) props.done();
    else setProblem(wrong);
  }
  return (
    <form class="name-form" onSubmit={(event) => void send(event)}>
      <input
        ref={(input) => queueMicrotask(() => input.focus())}
        name="name"
        onKeyDown={(event) => event.key === "Escape" && props.cancel()}
        aria-label={props.label}
        placeholder={props.label}
        autocomplete="off"
        autocapitalize="off"
        aria-invalid={problem() !== null}
        aria-describedby="name-problem"
      />
      <Show when={props.option}>
        {(option) => (
          <label>
            <input type="checkbox" name="option" /> <span>{option()}</span>
          </label>
        )}
      </Show>
      <button type="submit" class="primary" disabled={busy()}>
        {t.create}
      </button>
      <button type="button" class="quiet" onClick={() => props.cancel()}>
        {t.cancel}
      </button>
      <p id="name-problem" class="problem" role="alert">
        {problem()}
      </p>
    </form>
  );
}
