import { createSignal, Show } from "solid-js";
import * as t from "../texts/messages.ts";
import type { MessageActions } from "./message-actions.ts";

/** Pixels that the open menu needs below its button, or else it opens above it; and its width in pixels. */
const room = 220;
const width = 240;
const menuId = "message-menu";

/** The button that opens a message's menu. All messages share one menu. */
export function MessageDots(props: { index: number; role: "user" | "assistant" }) {
  return (
    <button
      type="button"
      class="dots"
      popovertarget={menuId}
      data-message={props.index}
      // The menu checks which button has the focus, and not every browser focuses a clicked button.
      onClick={(event) => event.currentTarget.focus()}
      aria-label={props.role === "user" ? t.moreAboutYours : t.moreAboutAgents}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  );
}

/** What can be done with the message whose button was pressed. */
export function MessageMenu(props: { actions: MessageActions; isUser: (index: number) => boolean }) {
  const [index, setIndex] = createSignal(-1);
  const [menu, setMenu] = createSignal<HTMLElement>();
  const isEnded = () => props.actions.isEnded(index());

  function place(event: ToggleEvent) {
    const button = document.activeElement?.closest<HTMLElement>(".dots") ?? null;
    const box = menu();
    if (event.newState !== "open" || button === null || box === undefined) return;
    setIndex(Number(button.dataset["message"]));
    const at = button.getBoundingClientRect();
    const below = innerHeight - at.bottom > room;
    box.style.setProperty("top", below ? `${at.bottom}px` : "auto");
    box.style.setProperty("bottom", below ? "auto" : `${innerHeight - at.top}px`);
    box.style.setProperty("right", `${Math.max(0, Math.min(innerWidth - at.right, innerWidth - width))}px`);
  }
  const hide = () => menu()?.hidePopover();

  return (
    <div
      id={menuId}
      popover="auto"
      class="menu"
      ref={(element) => {
        setMenu(element);
        element.addEventListener("beforetoggle", place);
      }}
    >
      <Show when={props.isUser(index())}>
        <Row label={t.editAndResend} disabled={!isEnded()} hide={hide} act={() => props.actions.edit(index())} />
      </Show>
      <Row label={t.fork} disabled={!isEnded() || props.actions.busy()} hide={hide} act={() => void props.actions.fork(index())} />
      <Show when={props.actions.hasText(index())}>
        <Row label={t.discuss} disabled={!isEnded()} hide={hide} act={() => props.actions.discuss(index())} />
        <Row label={t.copyMarkdown} hide={hide} act={() => void props.actions.copy(index())} />
      </Show>
      <Row label={t.showInFile} hide={hide} act={() => void props.actions.raw(index())} />
    </div>
  );
}

function Row(props: { label: string; disabled?: boolean; hide: () => void; act: () => void }) {
  return (
    <button
      type="button"
      disabled={props.disabled}
      onClick={() => {
        props.hide();
        props.act();
      }}
    >
      {props.label}
    </button>
  );
}
