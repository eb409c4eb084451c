import { createSignal, type JSX, onCleanup, onMount, Show } from "solid-js";
import * as t from "../texts/frame.ts";

/** The first control that can be used without scrolling, apart from the close button. */
const firstIn = (dialog: HTMLElement | undefined) =>
  Array.from(
    dialog?.querySelectorAll<HTMLElement>(
      ":is(a[href], button, input, select, textarea, summary, [tabindex='0']):not(:disabled, .cross)",
    ) ?? [],
  ).find((each) => each.checkVisibility() && each.getBoundingClientRect().bottom <= (dialog?.getBoundingClientRect().bottom ?? 0));

/**
 * A native dialog that is open as long as it is in the page. Escape closes it, and so does a click beside it if the browser supports that. `bare`: a
 * class for a dialog without a close button, whose title is only for screen readers.
 */
export function Modal(props: { title: string; close: () => void; bare?: string; children: JSX.Element }) {
  const [dialog, setDialog] = createSignal<HTMLDialogElement>();
  let cross: HTMLElement | undefined;
  onMount(() => {
    dialog()?.setAttribute("closedby", "any");
    dialog()?.showModal();
    // The browser has focused the close button, because it comes first.
    if (document.activeElement === cross) (firstIn(dialog()) ?? dialog())?.focus({ preventScroll: true });
  });
  // A dialog reports a moment late that it has closed. By then, its owner may have opened another one in its place, which must stay open.
  let isGone = false;
  // Only closing a dialog returns the focus. Removing it from the page loses the focus.
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
          {/* Not a banner: without the role, a screen reader would take this for the page's header. */}
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
