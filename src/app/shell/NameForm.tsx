import { createSignal, Show } from "solid-js";
import { lazyPart } from "./lazy-part.tsx";
import type { NameFieldsProps } from "./NameFields.tsx";

const NameFields = lazyPart(() => import("./NameFields.tsx"));

/** A button that becomes a field for a name, in its place, once the code of the field is there. */
export function NameForm(props: Pick<NameFieldsProps, "label" | "submit"> & { button: string }) {
  const [open, setOpen] = createSignal(false);
  const [button, setButton] = createSignal<HTMLButtonElement>();

  function cancel() {
    setOpen(false);
    button()?.focus();
  }
  return (
    <Show
      when={open()}
      fallback={
        <button ref={setButton} type="button" class="quiet new" onClick={() => void NameFields.preload().then(() => setOpen(true))}>
          {props.button}
        </button>
      }
    >
      <NameFields label={props.label} submit={props.submit} done={() => setOpen(false)} cancel={cancel} />
    </Show>
  );
}
