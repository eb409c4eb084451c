import { createSignal } from "solid-js";
import * as t from "../texts/shell.ts";

export interface NameFieldsProps {
  readonly label: string;
  /** Answers with what is wrong, or null when it is done. */
  readonly submit: (name: string) => Promise<string | null>;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** The field for a name, and what is wrong with it. */
export default function NameFields(props: NameFieldsProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);

  async function send(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    if (busy()) return;
    const name = new FormData(event.currentTarget).get("name");
    setBusy(true);
    const wrong = await props.submit(typeof name === "string" ? name : "");
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
