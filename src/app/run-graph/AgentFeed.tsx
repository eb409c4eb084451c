import { createMemo, createSignal, For, Match, Show, Switch } from "solid-js";
import type { CallView, MessageView } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import type { OpenDialog } from "../dialogs/open-dialog.ts";
import * as t from "../texts/run-graph.ts";
import { callLine, contentOf } from "./call-line.ts";
import { type DialogSnapshot, messageAt } from "./dialog-snapshot.ts";

/** Messages that show until the reader asks for earlier ones. */
const shownFirst = 30;

/** What an agent was told, said and did, in short. `cut`: its state at a moment; null: its current state. */
export function AgentFeed(props: { open: OpenDialog; cut: DialogSnapshot | null }) {
  const [all, setAll] = createSignal(false);
  const slots = createMemo(() => {
    const last = props.cut?.section ?? Infinity;
    return props.open.slots().filter(({ index }) => index <= last);
  });
  const shown = () => (all() ? slots() : slots().slice(-shownFirst));
  return (
    <div class="feed">
      <Show when={shown().length < slots().length}>
        <button type="button" class="quiet small" onClick={() => setAll(true)}>
          {t.earlier(slots().length - shown().length)}
        </button>
      </Show>
      <For each={shown()}>
        {({ index, message }) => {
          const now = createMemo((): MessageView | null => (props.cut === null ? message() : messageAt(message(), index, props.cut)));
          return <For each={now()?.parts ?? []}>{(part) => <Part part={part} role={message().role} />}</For>;
        }}
      </For>
    </div>
  );
}

function Part(props: { part: MessageView["parts"][number]; role: MessageView["role"] }) {
  const text = () => (props.part.kind === "text" ? props.part.text : null);
  const call = () => (props.part.kind === "call" ? props.part.call : null);
  return (
    <Switch>
      <Match when={text()}>
        {(said) => (
          <p class={`feed-text by-${props.role}`}>
            <span class="unseen">{props.role === "user" ? t.asked : t.said}</span>
            <Visible text={said()} />
          </p>
        )}
      </Match>
      <Match when={call()}>{(one) => <FeedCall call={one()} />}</Match>
    </Switch>
  );
}

/** One line that opens to what the call wrote or returned. */
function FeedCall(props: { call: CallView }) {
  const [open, setOpen] = createSignal(false);
  return (
    <details class="feed-call" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{callLine(props.call)}</code>
        <Show when={props.call.result === null}> {t.callStates[props.call.state]}</Show>
      </summary>
      <Show when={open()}>
        <pre>
          <Visible text={contentOf(props.call)} />
        </pre>
      </Show>
    </details>
  );
}
