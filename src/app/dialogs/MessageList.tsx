import { createEffect, createMemo, createSignal, For, Match, onCleanup, Show, Suspense, Switch } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import type { DialogListing } from "../../protocol/index.ts";
import { Message, SentMessage } from "./Message.tsx";
import type { MessageActions } from "./message-actions.ts";
import { MessageMenu } from "./MessageMenu.tsx";
import type { OpenDialog, Sent, Slot } from "./open-dialog.ts";
import type { PendingReply } from "./pending-replies.ts";
import { isAsked } from "./dialog-group.ts";
import { isSameSpeaker, isYours } from "./speaker.ts";
import { TurnEnd } from "./TurnEnd.tsx";
import type { TurnChanges } from "./turn-changes.ts";
import { Visible } from "../calls/Visible.tsx";
import * as t from "../texts/messages.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { onChange } from "../ui/on-change.ts";

const PendingReplies = lazyPart(() => import("./PendingReplies.tsx"));
const FindBar = lazyPart(() => import("./FindBar.tsx"));

type Entry =
  | { readonly kind: "notes" }
  | { readonly kind: "message"; readonly slot: Slot }
  | { readonly kind: "sent"; readonly sent: Sent }
  | { readonly kind: "replies" }
  | { readonly kind: "end" };

/** Pixels from the end within which the list still counts as scrolled to its end. */
const nearEnd = 24;
/** Milliseconds after the reader's last touch, key or wheel event in which scrolling still counts as the reader's. */
const gesture = 1_000;
/** Dialogs with up to this many messages are in the page as a whole, so that the browser's own search finds everything. */
const short = 40;

/** The messages, any number of them. The list follows new text while it is scrolled to its end, and only then. */
export function MessageList(props: {
  dialog: OpenDialog;
  live: boolean;
  changes: TurnChanges | null;
  /** The agents that were mentioned and have not answered. */
  replies: readonly PendingReply[];
  /** The side discussions of a message, by its index. */
  sides: (index: number) => readonly DialogListing[];
  actions: MessageActions;
  finding: boolean;
  endFind: () => void;
}) {
  const [handle, setHandle] = createSignal<VListHandle>();
  const [stuck, setStuck] = createSignal(true);
  const opened = new Map<string, boolean>();
  const entryOf = new WeakMap<Slot, Entry>();
  const notes: Entry = { kind: "notes" };
  const end: Entry = { kind: "end" };
  const replies: Entry = { kind: "replies" };

  const entries = createMemo((): Entry[] => {
    const list: Entry[] = (props.dialog.head()?.notes.length ?? 0) > 0 ? [notes] : [];
    for (const slot of props.dialog.slots()) {
      let entry = entryOf.get(slot);
      if (entry === undefined) {
        entry = { kind: "message", slot };
        entryOf.set(slot, entry);
      }
      list.push(entry);
    }
    const sent = props.dialog.sent();
    if (sent !== null) list.push({ kind: "sent", sent });
    else if (props.changes !== null) list.push(end);
    if (props.replies.length > 0) list.push(replies);
    return list;
  });

  const [whole, setWhole] = createSignal<HTMLElement>();
  /** While the reader presses the pointer, the list stays where it is: a link that moves away under the pointer is not clicked. */
  let pressed = false;
  /** Doesn't use the list's own `scrollToIndex`, which keeps scrolling while items are measured, even if the reader scrolls back at that moment. */
  function toEnd() {
    const scroller = whole()?.querySelector(".message-list");
    if (scroller && stuck() && !pressed) scroller.scrollTop = scroller.scrollHeight;
  }
  let frame = 0;
  function follow() {
    if (!stuck()) return;
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(toEnd);
  }
  onCleanup(() => cancelAnimationFrame(frame));
  onChange(() => entries(), follow);
  // A message that the user sends is always shown.
  onChange(
    () => props.dialog.sent(),
    (sent) => sent !== null && (setStuck(true), follow()),
  );

  let lastOffset = 0;
  let touchedAt = Number.NEGATIVE_INFINITY;
  const touched = () => {
    touchedAt = performance.now();
  };
  /**
   * The smallest upward scroll stops following. Otherwise new text would pull the reader back down. Only the reader's scrolling counts: the list also
   * moves by itself when items above are measured or when it becomes shorter.
   */
  function onScroll(offset: number) {
    const list = handle();
    if (list === undefined) return;
    const left = list.scrollSize - list.viewportSize - offset;
    if (left <= 1) setStuck(true);
    else if (performance.now() - touchedAt < gesture) setStuck(offset >= lastOffset && left <= nearEnd);
    lastOffset = offset;
  }
  /** Other buttons, and on a Mac Ctrl with a click, open a menu. Then the release may never arrive. */
  const press = (event: PointerEvent) => {
    pressed = event.button === 0 && !event.ctrlKey;
  };
  function release() {
    if (!pressed) return;
    pressed = false;
    follow();
  }
  createEffect(() => {
    const element = whole();
    if (element === undefined) return;
    const gestures = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const name of gestures) element.addEventListener(name, touched, { passive: true });
    element.addEventListener("pointerdown", press);
    const releases = ["pointerup", "pointercancel"] as const;
    for (const name of releases) addEventListener(name, release);
    // If the list becomes shorter, for example when the agent asks for something, its end moves out of view.
    const room = new ResizeObserver(follow);
    room.observe(element);
    onCleanup(() => {
      room.disconnect();
      for (const name of releases) removeEventListener(name, release);
    });
  });

  function showMessage(index: number) {
    const at = entries().findIndex((entry) => entry.kind === "message" && entry.slot.index === index);
    if (at < 0) return;
    const list = handle();
    if (list === undefined) return;
    if (list.scrollSize > list.viewportSize + 1) setStuck(false);
    list.scrollToIndex(at, { align: "center" });
  }
  // Scrolls the message that is being edited into view.
  onChange(
    () => props.actions.editing(),
    (index) => index !== null && showMessage(index),
    { defer: true },
  );
  const isUser = (index: number) => {
    const message = props.dialog.slots()[index]?.message();
    return message !== undefined && isYours(message);
  };

  /** The last message that reports the dialog's cumulative usage: the window's fill level is from then. */
  const usageAt = createMemo(() => props.dialog.slots().findLastIndex((slot) => slot.message().usageCumulative !== null));
  const slotBefore = (slot: Slot) => props.dialog.slots()[slot.index - 1];
  const isLast = (slot: Slot) => slot.index === props.dialog.slots().length - 1;

  return (
    <section ref={setWhole} class="messages" aria-label={t.messages}>
      <VList
        ref={setHandle}
        class="message-list"
        data={entries()}
        bufferSize={600}
        keepMounted={entries().length <= short ? entries().map((_, index) => index) : []}
        onScroll={onScroll}
        onResize={follow}
        tabindex={0}
      >
        {(entry) => (
          <div class="column">
            <Switch>
              <Match when={entry.kind === "message" && entry.slot}>
                {(slot) => (
                  <Message
                    index={slot().index}
                    actions={props.actions}
                    thinking={props.dialog.head()?.activity?.kind === "thinking"}
                    message={slot().message()}
                    own={props.dialog.head()?.agent?.slug ?? null}
                    follows={isSameSpeaker(slotBefore(slot())?.message(), slot().message())}
                    live={props.live && isLast(slot()) && slot().message().role === "assistant" && slot().message().end === null}
                    done={props.dialog.head()?.status === "done"}
                    summary={slot().index === 0 && props.dialog.head()?.continuedFrom != null}
                    context={slot().index === usageAt() ? (props.dialog.head()?.context ?? null) : null}
                    sides={props.sides(slot().index)}
                    opened={opened}
                    running={isLast(slot()) ? props.dialog.running() : null}
                    waits={isAsked(props.dialog.head()?.activity ?? null)}
                  />
                )}
              </Match>
              <Match when={entry.kind === "sent" && entry.sent}>{(sent) => <SentMessage text={sent().text} />}</Match>
              <Match when={entry.kind === "end" && props.changes}>{(changes) => <TurnEnd changes={changes()} />}</Match>
              <Match when={entry.kind === "replies"}>
                <Suspense>
                  <PendingReplies replies={props.replies} />
                </Suspense>
              </Match>
              <Match when={entry.kind === "notes"}>
                <ul class="meta notes">
                  <For each={props.dialog.head()?.notes ?? []}>
                    {(part) => (
                      <Switch>
                        <Match when={part.kind === "text" && part.text}>
                          {(text) => (
                            <li>
                              <Visible text={text()} />
                            </li>
                          )}
                        </Match>
                        <Match when={part.kind === "meta" && part.lines}>
                          {(lines) => (
                            <For each={lines()}>
                              {(line) => (
                                <li>
                                  <Visible text={`${line.key}: ${line.value}`} />
                                </li>
                              )}
                            </For>
                          )}
                        </Match>
                      </Switch>
                    )}
                  </For>
                </ul>
              </Match>
            </Switch>
          </div>
        )}
      </VList>
      <Show when={!stuck()}>
        <button
          type="button"
          class="to-end"
          onClick={() => {
            setStuck(true);
            // Uses the list's own method here: it ends an ongoing scroll to a message, which would otherwise take the reader back there.
            handle()?.scrollToIndex(entries().length - 1, { align: "end" });
          }}
        >
          {t.newest} <span aria-hidden="true">↓</span>
        </button>
      </Show>
      <MessageMenu actions={props.actions} isUser={isUser} />
      <Suspense>
        <Show when={props.finding}>
          <FindBar dialog={props.dialog} list={whole} show={showMessage} close={() => props.endFind()} />
        </Show>
      </Suspense>
    </section>
  );
}
