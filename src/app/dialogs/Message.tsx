import { createMemo, For, Index, Match, Show, Switch } from "solid-js";
import type { MessageView, PartView, UsageView } from "../../engine/api.ts";
import { Call } from "../calls/Call.tsx";
import { Visible } from "../calls/Visible.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import { number, span, spanExact } from "../shell/words.ts";
import { stopWords } from "./frames.ts";

export interface MessageProps {
  readonly message: MessageView;
  /** The message before it is of the same side, so the name need not stand again. */
  readonly follows: boolean;
  /** It is being written now. */
  readonly live: boolean;
  /** The dialog is done. */
  readonly done: boolean;
  readonly opened: Map<string, boolean>;
}

export function Message(props: MessageProps) {
  const isUser = () => props.message.role === "user";
  const last = () => props.message.parts.at(-1);
  return (
    <article class={`turn ${isUser() ? "you" : "ai"}`} classList={{ follows: props.follows }} aria-label={isUser() ? "You" : "Agent"}>
      <div class="who">
        <Show when={!props.follows}>
          <b>{isUser() ? "You" : "Agent"}</b>
          <Show when={!isUser() && props.message.model}>
            {(model) => (
              <span class="model">
                <Visible text={model()} />
              </span>
            )}
          </Show>
        </Show>
        <Show when={props.message.start}>
          {(start) => (
            <time dateTime={start()} title={spanExact(start(), props.message.end)}>
              {span(start(), props.message.end)}
            </time>
          )}
        </Show>
      </div>
      <Index each={props.message.parts}>
        {(part, index) => (
          <Part part={part()} complete={!props.live || index < props.message.parts.length - 1} done={props.done} opened={props.opened} />
        )}
      </Index>
      <Show when={props.live && last()?.kind !== "call"}>
        <span class="cursor" aria-hidden="true" />
      </Show>
      <Show when={props.message.stop}>
        {(stop) => (
          <p class="stop">
            <Visible text={stopWords(stop())} />
          </p>
        )}
      </Show>
      <Usage usage={props.message.usage} cumulative={props.message.usageCumulative} />
    </article>
  );
}

/** A message that is on its way. */
export function SentMessage(props: { text: string }) {
  return (
    <article class="turn you" aria-label="You">
      <div class="who">
        <b>You</b>
        <span>sending…</span>
      </div>
      <Markdown text={props.text} complete />
    </article>
  );
}

function Part(props: { part: PartView; complete: boolean; done: boolean; opened: Map<string, boolean> }) {
  const text = createMemo(() => (props.part.kind === "text" ? props.part.text : null));
  const call = createMemo(() => (props.part.kind === "call" ? props.part.call : null));
  return (
    <Switch>
      <Match when={text() !== null}>
        <Markdown text={text() ?? ""} complete={props.complete} />
      </Match>
      <Match when={call()}>{(shown) => <Call call={shown()} done={props.done} opened={props.opened} />}</Match>
      <Match when={props.part.kind === "meta" && props.part.lines}>
        {(lines) => (
          <ul class="meta">
            <For each={lines()}>
              {(line) => (
                <li>
                  <Visible text={`${line.key}: ${line.value}`} />
                </li>
              )}
            </For>
          </ul>
        )}
      </Match>
    </Switch>
  );
}

/** Only what the provider reported. */
function Usage(props: { usage: UsageView | null; cumulative: UsageView | null }) {
  return (
    <Show when={props.usage ?? props.cumulative}>
      <p class="usage">
        <Show when={props.usage}>
          {(usage) => (
            <span title={`${number(usage().total)} tokens in this message`}>
              {number(usage().input)} tokens in · {number(usage().output)} out
            </span>
          )}
        </Show>
        <Show when={props.cumulative}>
          {(all) => (
            <span title={`${number(all().input)} in, ${number(all().output)} out`}>{number(all().total)} in this dialog so far</span>
          )}
        </Show>
      </p>
    </Show>
  );
}
