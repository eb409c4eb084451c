import { createMemo, createSignal, Show } from "solid-js";
import { VList, type VListHandle } from "virtua/solid";
import type { LogEvent } from "../../protocol/index.ts";
import { visible } from "../calls/visible.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import { moveFocus } from "../ui/arrow-keys.ts";
import { nearEnd } from "../ui/near-end.ts";
import * as t from "../texts/events.ts";
import { Parts } from "../texts/Parts.tsx";
import { eventSentence, plainSentence } from "./event-sentence.ts";
import { actorName, eventPlace, eventTime } from "./event-format.ts";
import { inDays } from "./format.ts";
import { onChange } from "../ui/on-change.ts";

/** Within this many pixels from the top, new events push the list down. Below, the text being read stays where it is. */
const top = 40;

type Item = { readonly day: string } | LogEvent;

/** Events grouped by day, any number of them. Only those in view are in the page. Up and Down move between them. */
export function EventList(props: { events: readonly LogEvent[]; grewAtTop: boolean; nearEnd: () => void }) {
  const [list, setList] = createSignal<VListHandle>();
  // A heading stays the same object, so that visible rows aren't rebuilt. Headings are counted from the oldest on, so new events don't change those
  // below.
  const days = new Map<string, Item>();
  const items = createMemo(() => {
    const counts = new Map<string, number>();
    return inDays(props.events, Date.now())
      .toReversed()
      .map(({ title, items: own }): readonly Item[] => {
        const nth = counts.get(title) ?? 0;
        counts.set(title, nth + 1);
        const key = `${nth} ${title}`;
        const day = days.get(key) ?? { day: title };
        days.set(key, day);
        return [day, ...own];
      })
      .toReversed()
      .flat();
  });
  /** The row with the focus stays in the page, even if new rows push it out of view. */
  const [focused, setFocused] = createSignal<LogEvent | null>(null);
  const held = createMemo(() => {
    const event = focused();
    const at = event === null ? -1 : items().indexOf(event);
    return at < 0 ? [] : [at];
  });
  function look() {
    const shown = list();
    if (shown && nearEnd({ scrollHeight: shown.scrollSize, clientHeight: shown.viewportSize, scrollTop: shown.scrollOffset })) {
      props.nearEnd();
    }
  }
  // A list that is shorter than its box never scrolls.
  onChange([() => items(), list], () => {
    requestAnimationFrame(look);
  });
  return (
    <VList
      ref={setList}
      class="event-list"
      data={items()}
      tabindex={-1}
      keepMounted={held()}
      shift={props.grewAtTop && (list()?.scrollOffset ?? 0) > top}
      onScroll={look}
    >
      {(item) => (
        <Show when={"day" in item ? null : item} fallback={<h2>{"day" in item ? item.day : ""}</h2>}>
          {(event) => <Row event={event()} focused={setFocused} />}
        </Show>
      )}
    </VList>
  );
}

/** One event, which leads to its place in the dialog, or to its commit. */
function Row(props: { event: LogEvent; focused: (event: LogEvent | null) => void }) {
  const sentence = createMemo(() => eventSentence(props.event));
  const time = createMemo(() => eventTime(props.event));
  const who = () => visible(actorName(props.event.actor));
  /** The dialog's name, unless the agent has the same name. */
  const dialog = () => {
    const { actor, dialogId } = props.event;
    return dialogId === null || (actor.kind === "agent" && actor.dialogId === dialogId) ? "" : visible(slugOf(dialogId));
  };
  return (
    <a
      class={`event by-${props.event.actor.kind}`}
      href={formatRoute(eventPlace(props.event))}
      title={`${who()} ${plainSentence(sentence())}`}
      onKeyDown={(event) => moveFocus(event, event.currentTarget.closest(".event-list"))}
      onFocus={() => props.focused(props.event)}
      onBlur={() => props.focused(null)}
    >
      <time datetime={props.event.time} title={time().whole} classList={{ "no-exact": !props.event.exact }}>
        {time().shown}
      </time>{" "}
      <strong class="event-who">{who()}</strong>{" "}
      <span class="event-what">
        <Show when={props.event.severity !== "info"}>
          <span class={`event-severity ${props.event.severity}`}>{t.severities[props.event.severity]}</span>{" "}
        </Show>
        <Parts of={sentence()} />
      </span>{" "}
      <span class="event-dialog">{dialog()}</span>
    </a>
  );
}
