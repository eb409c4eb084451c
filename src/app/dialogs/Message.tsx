import { createMemo, For, Index, Match, Show, Suspense, Switch } from "solid-js";
import type { ContextView, DialogListing, MessageView, PartView } from "../../protocol/index.ts";
import { agentName } from "../../dialog/mentions/agent-name.ts";
import { Call } from "../calls/Call.tsx";
import { Visible } from "../calls/Visible.tsx";
import { money, moneyExact } from "../cost/money.ts";
import { whole } from "../markdown/growing.ts";
import { AsWritten, Markdown } from "../markdown/Markdown.tsx";
import { span, spanExact } from "../ui/format.ts";
import { formatRoute } from "../model/route.ts";
import { slugOf } from "../docs/names.ts";
import * as mentions from "../texts/mentions.ts";
import * as t from "../texts/messages.ts";
import { Parts } from "../texts/Parts.tsx";
import { metaWords, percent, saidText, shownText, stopWords } from "./frames.ts";
import type { MessageActions } from "./message-actions.ts";
import { MessageDots } from "./MessageMenu.tsx";
import type { Running } from "./running.ts";
import { speakerOf } from "./speaker.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const EditMessage = lazyPart(() => import("./EditMessage.tsx"));
const Resolution = lazyPart(() => import("./Resolution.tsx"));
const SideForks = lazyPart(() => import("./SideForks.tsx"));

export interface MessageProps {
  /** Its index in the dialog, counted from 0. */
  readonly index: number;
  readonly actions: MessageActions;
  readonly message: MessageView;
  /** The slug of the dialog's agent, if a file defines it. */
  readonly own: string | null;
  /** The previous message has the same author, so the name isn't repeated. */
  readonly follows: boolean;
  /** The message is being written now. */
  readonly live: boolean;
  /** The model is thinking and has written nothing yet. */
  readonly thinking: boolean;
  /** The dialog is done. */
  readonly done: boolean;
  /** The message begins with a summary of another dialog, made by Vibey. */
  readonly summary: boolean;
  /** How full the context window was after it; only known for the last message. */
  readonly context: ContextView | null;
  readonly opened: Map<string, boolean>;
  /** Side discussions of this message. */
  readonly sides: readonly DialogListing[];
  /** The command that runs in it, and whether the command waits for the user. */
  readonly running: Running | null;
  readonly waits: boolean;
}

export function Message(props: MessageProps) {
  const speaker = () => speakerOf(props.message, props.own);
  const isUser = () => speaker().kind === "you";
  const last = () => props.message.parts.at(-1);
  const writing = () => props.live && props.message.end === null;
  /** The fork that it summarizes. */
  const resolution = () => (speaker().kind === "ai" ? props.message.resolves : undefined);
  const parts = () =>
    edited() || resolution() !== undefined ? props.message.parts.filter((part) => part.kind !== "text") : props.message.parts;
  const edited = () => isUser() && props.actions.editing() === props.index;
  return (
    <article class={`turn ${speaker().kind}`} classList={{ follows: props.follows }} aria-label={speaker().name} data-message={props.index}>
      <div class="who">
        <Show when={!props.follows}>
          <b data-face={speaker().face}>{speaker().name}</b>
          <Show when={speaker().kind === "ai" && speaker().dialogId}>
            {(from) => <a href={formatRoute({ tab: "dialogs", dialogId: from() })}>{mentions.openDialog}</a>}
          </Show>
          <Show when={props.summary}>
            <span class="model">{t.afterSummary}</span>
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
        <MessageDots index={props.index} role={props.message.role} />
      </div>
      <Suspense>
        <Show when={edited()}>
          <EditMessage index={props.index} actions={props.actions} />
        </Show>
      </Suspense>
      <Suspense>
        <Show when={resolution()}>{(fork) => <Resolution text={saidText(props.message)} topic={props.message.topic} fork={fork()} />}</Show>
      </Suspense>
      <Index each={parts()}>
        {(part, index) => (
          <Part
            part={part()}
            context={speaker().kind === "context" ? speaker().dialogId : null}
            written={(isUser() || props.message.reportedBy !== undefined) && !props.summary}
            complete={!props.live || index < props.message.parts.length - 1}
            done={props.done}
            writing={writing()}
            opened={props.opened}
            running={props.running}
            waits={props.waits}
          />
        )}
      </Index>
      <Show when={props.live && (writing() || last()?.kind !== "call") && last()?.kind !== "text"}>
        <p class="thinking">
          <Show when={props.thinking}>{t.thinking} </Show>
          <span class="cursor" aria-hidden="true" />
        </p>
      </Show>
      <Show when={props.message.order}>{(order) => <p class="then">{mentions.thenAnswers(order().map(agentName))}</p>}</Show>
      <Suspense>
        <Show when={props.sides.length > 0}>
          <SideForks sides={props.sides} />
        </Show>
      </Suspense>
      <Show when={props.message.system}>
        {(why) => (
          <p class="stop">
            <Visible text={why()} />
          </p>
        )}
      </Show>
      <Show when={props.message.stop}>{(stop) => <p class="stop">{stopWords(stop())}</p>}</Show>
      <Usage message={props.message} context={props.context} />
    </article>
  );
}

/** A message that is being sent. */
export function SentMessage(props: { text: string }) {
  return (
    <article class="turn you" aria-label={t.you}>
      <div class="who">
        <b>{t.you}</b>
        <span>{t.sending}</span>
      </div>
      <AsWritten text={props.text} />
    </article>
  );
}

/** `written`: a person wrote the part. `context`: the dialog that the text is quoted from, as context for an agent; null: it isn't quoted. */
function Part(
  props: { part: PartView; complete: boolean; written: boolean; writing: boolean; context: string | null } & Pick<
    MessageProps,
    "done" | "opened" | "running" | "waits"
  >,
) {
  const text = createMemo(() => (props.part.kind === "text" ? shownText(props.part) : null));
  const call = createMemo(() => (props.part.kind === "call" ? props.part.call : null));
  return (
    <Switch>
      <Match when={text() !== null && props.context}>
        {(from) => (
          <details>
            <summary>
              <Parts of={t.contextFrom} slots={{ dialog: () => <Visible text={slugOf(from())} /> }} />
            </summary>
            <AsWritten text={whole(text() ?? "")} />
          </details>
        )}
      </Match>
      <Match when={text() !== null}>
        <Show when={props.written} fallback={<Markdown text={text() ?? ""} complete={props.complete} />}>
          <AsWritten text={whole(text() ?? "")} />
        </Show>
      </Match>
      <Match when={call()}>
        {(shown) => (
          <Call
            call={shown()}
            done={props.done}
            writing={props.writing}
            opened={props.opened}
            running={props.running}
            waits={props.waits}
          />
        )}
      </Match>
      <Match when={props.part.kind === "meta" && props.part.lines}>
        {(lines) => (
          <ul class="meta">
            <For each={lines()}>{(line) => <li>{metaWords(line, props.writing)}</li>}</For>
          </ul>
        )}
      </Match>
    </Switch>
  );
}

/** Shows only what the provider reported. */
function Usage(props: { message: MessageView; context: ContextView | null }) {
  const exact = (total: number) => {
    const { cached } = props.message;
    return cached === undefined ? t.tokensExact(total) : t.tokensExactCached(total, cached.read, cached.write);
  };
  return (
    <Show when={props.message.usage ?? props.message.usageCumulative ?? props.message.cost}>
      <p class="usage">
        <Show when={props.message.usage}>
          {(usage) => <span title={exact(usage().total)}>{t.tokens(usage().input, usage().output)}</span>}
        </Show>
        <Show when={props.message.cost}>
          {(cost) => (
            <span
              title={
                cost().reported
                  ? t.costReported(moneyExact(cost().nanos))
                  : t.costReckoned(moneyExact(cost().nanos), cost().price?.source ?? null)
              }
            >
              {money(cost().nanos)}
            </span>
          )}
        </Show>
        <Show when={props.message.usageCumulative}>
          {(all) => <span title={t.tokensSoFarExact(all().input, all().output)}>{t.tokensSoFar(all().total)}</span>}
        </Show>
        <Show when={props.context}>
          {(context) => (
            <span class="window" classList={{ full: context().nearlyFull }} title={windowExact(context())}>
              {t.windowUsed(percent(context().used, context().window))}
              <span class="unseen">: {windowExact(context())}</span>
            </span>
          )}
        </Show>
      </p>
    </Show>
  );
}

const windowExact = ({ used, window }: ContextView) => t.windowExact(used, window);
