import { createSignal, type JSX, onCleanup, onMount, Show } from "solid-js";
import * as t from "../texts/frame.ts";

/** What a person can use first without scrolling to it, beside the cross. */
const firstIn = (dialog: HTMLElement | undefined) =>
  Array.from(
    dialog?.querySelectorAll<HTMLElement>(
      ":is(a[href], button, input, select, textarea, summary, [tabindex='0']):not(:disabled, .cross)",
    ) ?? [],
  ).find((each) => each.checkVisibility() && each.getBoundingClientRect().bottom <= (dialog?.getBoundingClientRect().bottom ?? 0));

/**
 * A native dialog that is open as long as it is in the page. Escape closes it, and a click beside it where the browser can.
 * `bare`: a class for a dialog without the cross, whose title is for screen readers.
 */
export function Modal(props: { title: string; close: () => void; bare?: string; children: JSX.Element }) {
  const [dialog, setDialog] = createSignal<HTMLDialogElement>();
  let cross: HTMLElement | undefined;
  onMount(() => {
    dialog()?.setAttribute("closedby", "any");
    dialog()?.showModal();
    // The cross has the focus then, as the first thing that can.
    if (document.activeElement === cross) (firstIn(dialog()) ?? dialog())?.focus({ preventScroll: true });
  });
  // A dialog says a moment late that it closed. By then, its owner may have opened another one in its place, which must stay.
  let isGone = false;
  // Only a dialog that is closed gives the focus back; one that is just taken out of the page loses it.
  onCleanup(() => {
    isGone = true;
    dialog()?.close();
  });
  return (
    <dialog ref={setDialog} class={`modal ${props.bare ?? ""}`} aria-labelledby="modal-title" onClose={() => isGone || props.close()}>
      <div class="modal-body">
        <Show
          when={props.bare === undefined}
          fallback={
            <h2 id="modal-title" class="unseen">
              {props.title}
            </h2>
          }
        >
          {/* Not the page's own head, for which a screen reader would take it. */}
          <header role="presentation">
            <h2 id="modal-title">{props.title}</h2>
            <button
              ref={(button) => (cross = button)}
              type="button"
              class="quiet cross"
              aria-label={t.close}
              onClick={() => dialog()?.close()}
            >
              ×
            </button>
          </header>
        </Show>
        {props.children}
      </div>
    </dialog>
  );
}
