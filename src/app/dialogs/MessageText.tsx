import { createSignal } from "solid-js";
import { onChange } from "../ui/on-change.ts";

export interface MessageTextProps {
  readonly text: string;
  readonly label: string;
  /** The id of the element that describes the field. */
  readonly describedBy: string;
  readonly placeholder?: string;
  /** Whether writing is blocked for now. The field keeps the focus, because writing will be possible again a moment later. */
  readonly readOnly?: boolean;
  readonly box: (area: HTMLTextAreaElement) => void;
  readonly type: (text: string) => void;
  readonly send: () => void;
  /** Handles other keys. Never called for a key that composes a character. */
  readonly onKey: (event: KeyboardEvent) => void;
}

/** A text field for a message. Its height follows its text. */
export function MessageText(props: MessageTextProps) {
  const [area, setArea] = createSignal<HTMLTextAreaElement>();
  onChange(
    () => props.text,
    () => queueMicrotask(fit),
  );
  function fit() {
    const box = area();
    if (box === undefined) return;
    box.style.setProperty("height", "auto");
    box.style.setProperty("height", `${box.scrollHeight + 2}px`);
  }
  function onKey(event: KeyboardEvent) {
    // Ignore an Enter that ends the composition of a character.
    if (event.isComposing) return;
    props.onKey(event);
    if (event.defaultPrevented || event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    props.send();
  }
  return (
    <textarea
      ref={(element) => {
        setArea(element);
        props.box(element);
      }}
      class="message-text"
      rows={1}
      aria-label={props.label}
      aria-describedby={props.describedBy}
      placeholder={props.placeholder ?? ""}
      value={props.text}
      readOnly={props.readOnly}
      aria-disabled={props.readOnly === true}
      onInput={(event) => props.type(event.currentTarget.value)}
      onKeyDown={onKey}
    />
  );
}
