import { type JSX, onMount } from "solid-js";

/** A native dialog that is open as long as it is in the page. Escape and a click beside it close it. */
export function Modal(props: { title: string; close: () => void; children: JSX.Element }) {
  let dialog: HTMLDialogElement | undefined;
  onMount(() => dialog?.showModal());
  return (
    <dialog
      ref={dialog}
      class="modal"
      aria-labelledby="modal-title"
      onClose={() => props.close()}
      onClick={(event) => event.target === event.currentTarget && props.close()}
    >
      <div class="modal-body">
        <header>
          <h2 id="modal-title">{props.title}</h2>
          <button type="button" class="quiet cross" aria-label="Close" onClick={() => props.close()}>
            ×
          </button>
        </header>
        {props.children}
      </div>
    </dialog>
  );
}
