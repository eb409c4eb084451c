import { createSignal, Show } from "solid-js";
import { lazyPart } from "./lazy-part.tsx";
import type { NameFieldsProps } from "./NameFields.tsx";
import { offer } from "./offered.ts";

const NameFields = lazyPart(() => import("./NameFields.tsx"));

/** A button that is replaced by a field for a name, once the field's code has loaded. */
export function NameForm(props: Pick<NameFieldsProps, "label" | "submit" | "option"> & { button: string }) {
  const [open, setOpen] = createSignal(false);
  const [button, setButton] = createSignal<HTMLButtonElement>();

  const begin = () => void NameFields.preload().then(() => setOpen(true));
  offer({
    // The button isn't in the page while its field is, and isn't visible when only the other pane shows.
    commands: () => [{ label: props.button, hidden: !button()?.offsetParent, run: begin }],
    rank: 1,
  });
  function cancel() {
    setOpen(false);
    button()?.focus();
  }
  return (
    <Show
      when={open()}
      fallback={
        <button ref={setButton} type="button" class="quiet new" onClick={begin}>
          + {props.button}
        </button>
      }
    >
      <NameFields label={props.label} option={props.option} submit={props.submit} done={() => setOpen(false)} cancel={cancel} />
    </Show>
  );
}
