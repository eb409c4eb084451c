import { createSignal, Show } from "solid-js";
import * as t from "../texts/shell.ts";

/**
 * A button that becomes a field for a name, in its place. `submit` answers with what is wrong, or null when it is done.
 */
export function NameForm(props: { button: string; label: string; submit: (name: string) => Promise<string | null> }) {
  const [open, setOpen] = createSignal(false);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [busy, setBusy] = createSignal(false);
  const [button, setButton] = createSignal<HTMLButtonElement>();

  function close() {
    setOpen(false);
    setProblem(null);
    button()?.focus();
  }
  async function send(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    if (busy()) return;
    const name = new FormData(event.currentTarget).get("name");
    setBusy(true);
    const wrong = await props.submit(typeof name === "string" ? name : "");
    setBusy(false);
    if (wrong === null) {
      setOpen(false);
      setProblem(null);
    } else setProblem(wrong);
  }
  return (
    <Show
      when={open()}
      fallback={
        <button ref={setButton} type="button" class="quiet new" onClick={() => setOpen(true)}>
          {props.button}
        </button>
      }
    >
      <form class="name-form" onSubmit={(event) => void send(event)}>
        <input
          ref={(input) => queueMicrotask(() => input.focus())}
          name="name"
          onKeyDown={(event) => event.key === "Escape" && close()}
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
        <button type="button" class="quiet" onClick={close}>
          {t.cancel}
        </button>
        <p id="name-problem" class="problem" role="alert">
          {problem()}
        </p>
      </form>
    </Show>
  );
}
