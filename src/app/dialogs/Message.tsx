import { createMemo, For, Index, Match, Show, Switch } from "solid-js";
import type { ContextView, MessageView, PartView, UsageView } from "../../engine/api.ts";
import { Call } from "../calls/Call.tsx";
import { Visible } from "../calls/Visible.tsx";
import { Markdown } from "../markdown/Markdown.tsx";
import { number, span, spanExact } from "../shell/words.ts";
import { metaWords, percent, stopWords } from "./frames.ts";
import type { Running } from "./running.ts";

export interface MessageProps {
  readonly message: MessageView;
  /** The message before it is of the same side, so the name need not stand again. */
  readonly follows: boolean;
  /** It is being written now. */
  readonly live: boolean;
  /** The dialog is done. */
  readonly done: boolean;
  /** It begins with a summary of another dialog, which Vibey made. */
  readonly summary: boolean;
  /** How full the window was after it; known of the last one only. */
  readonly context: ContextView | null;
  readonly opened: Map<string, boolean>;
  /** The command that runs in it, and whether that waits for a person. */
  readonly running: Running | null;
  readonly waits: boolean;
}

export function Message(props: MessageProps) {
  const isUser = () => props.message.role === "user";
  const last = () => props.message.parts.at(-1);
  return (
    <article class={`turn ${isUser() ? "you" : "ai"}`} classList={{ follows: props.follows }} aria-label={isUser() ? "You" : "Agent"}>
      <div class="who">
        <Show when={!props.follows}>
          <b>{isUser() ? "You" : "Agent"}</b>
          <Show when={props.summary}>
            <span class="model">after a summary by Vibey</span>
          </Show>
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
          <Part
            part={part()}
            complete={!props.live || index < props.message.parts.length - 1}
            done={props.done}
            opened={props.opened}
            running={props.running}
            waits={props.waits}
          />
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
      <Usage usage={props.message.usage} cumulative={props.message.usageCumulative} context={props.context} />
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

function Part(props: { part: PartView; complete: boolean } & Pick<MessageProps, "done" | "opened" | "running" | "waits">) {
  const text = createMemo(() => (props.part.kind === "text" ? props.part.text : null));
  const call = createMemo(() => (props.part.kind === "call" ? props.part.call : null));
  return (
    <Switch>
      <Match when={text() !== null}>
        <Markdown text={text() ?? ""} complete={props.complete} />
      </Match>
      <Match when={call()}>
        {(shown) => <Call call={shown()} done={props.done} opened={props.opened} running={props.running} waits={props.waits} />}
      </Match>
      <Match when={props.part.kind === "meta" && props.part.lines}>
        {(lines) => (
          <ul class="meta">
            <For each={lines()}>
              {(line) => (
                <li>
                  <Visible text={metaWords(line)} />
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
function Usage(props: { usage: UsageView | null; cumulative: UsageView | null; context: ContextView | null }) {
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
        <Show when={props.context}>
          {(context) => (
            <span class="window" classList={{ full: context().nearlyFull }} title={windowExact(context())}>
              {percent(context().used, context().window)} of the window
              <span class="unseen">: {windowExact(context())}</span>
            </span>
          )}
        </Show>
      </p>
    </Show>
  );
}

const windowExact = ({ used, window }: ContextView) => `${number(used)} of the ${number(window)} tokens that the model can read at once`;
