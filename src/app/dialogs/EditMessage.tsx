import { createSignal, onCleanup, onMount } from "solid-js";
import { onMac, shownKeys } from "../ui/commands.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/composer.ts";
import type { MessageActions } from "./message-actions.ts";
import { MessageText } from "./MessageText.tsx";

/** Edits a message and resends it in a new dialog. The text is kept until it is sent, even if the user leaves. */
export default function EditMessage(props: { index: number; actions: MessageActions }) {
  const [text, setText] = createSignal("");
  const [problem, setProblem] = createSignal<string | null>(null);
  const [area, setArea] = createSignal<HTMLTextAreaElement>();
  let isOpen = true;
  onCleanup(() => {
    isOpen = false;
  });
  onMount(() => {
    setText(props.actions.draft(props.index));
    const box = area();
    box?.focus();
    box?.setSelectionRange(box.value.length, box.value.length);
  });

  function type(next: string) {
    setText(next);
    props.actions.keep(props.index, next);
  }
  const sendable = () => !props.actions.busy() && text().trim() !== "";
  async function send() {
    if (!sendable()) return;
    setProblem(null);
    // The actions live as long as the pane. This component may not.
    // oxlint-disable-next-line solid/reactivity
    const { actions } = props;
    const refused = await actions.resend(props.index, text());
    const why = refused === null ? null : t.notSent(refused);
    if (isOpen) setProblem(why);
    else if (why !== null) actions.failed(why);
  }
  function leave() {
    const dots = area()?.closest("article")?.querySelector<HTMLElement>(".dots");
    props.actions.edit(null);
    dots?.focus();
  }
  function onKey(event: KeyboardEvent) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    leave();
  }
  return (
    <form
      class="edit-message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <MessageText
        text={text()}
        label={t.editedMessage}
        describedBy="edit-message-hint"
        readOnly={props.actions.busy()}
        box={setArea}
        type={type}
        send={() => void send()}
        onKey={onKey}
      />
      <Problem text={problem()} />
      <p id="edit-message-hint" class="hint">
        {t.editedMeaning}
      </p>
      <div class="buttons">
        <button type="submit" class="primary" disabled={!sendable()}>
          {t.send} <kbd>{shownKeys("Mod+Enter", onMac())}</kbd>
        </button>
        <button type="button" class="quiet" onClick={leave}>
          {t.back} <kbd>{t.escapeKey}</kbd>
        </button>
      </div>
    </form>
  );
}
