import { createSignal, onMount, Show } from "solid-js";
import { onMac, shownKeys } from "../shell/commands.ts";
import type { MessageActions } from "./message-actions.ts";

/** A message that is said anew, in a new dialog. What is typed is kept until it is sent, also when one leaves. */
export default function EditMessage(props: { index: number; actions: MessageActions }) {
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [area, setArea] = createSignal<HTMLTextAreaElement>();
  onMount(() => {
    setText(props.actions.draft(props.index));
    fit();
    const box = area();
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  });

  function fit() {
    const box = area();
    if (box === undefined) return;
    box.value = text();
    box.style.setProperty("height", "auto");
    box.style.setProperty("height", `${box.scrollHeight + 2}px`);
  }
  const sendable = () => !props.actions.busy() && text().trim() !== "";
  async function send() {
    if (!sendable()) return;
    setProblem(null);
    const refused = await props.actions.resend(props.index, text());
    setProblem(refused === null ? null : `Not sent: ${refused}`);
  }
  function leave() {
    const dots = area()?.closest("article")?.querySelector<HTMLElement>(".dots");
    props.actions.edit(null);
    dots?.focus();
  }
  function onKey(event: KeyboardEvent) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    }
  }
  return (
    <form
      class="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={setArea}
        rows={1}
        aria-label="Your message, to be sent anew"
        aria-describedby="edit-message-hint"
        readOnly={props.actions.busy()}
        onInput={(event) => {
          setText(event.currentTarget.value);
          props.actions.keep(props.index, event.currentTarget.value);
          fit();
        }}
        onKeyDown={onKey}
      />
      <Show when={problem()}>
        {(message) => (
          <p class="problem" role="alert">
            {message()}
          </p>
        )}
      </Show>
      <p id="edit-message-hint" class="hint">
        It is sent in a new dialog that has everything before it. This dialog stays as it is.
      </p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={!sendable()}>
          Send <kbd>{shownKeys("Mod+Enter", onMac())}</kbd>
        </button>
        <button type="button" class="quiet" onClick={leave}>
          Back <kbd>Esc</kbd>
        </button>
      </div>
    </form>
  );
}
