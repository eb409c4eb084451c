import { createMemo, createSignal, For, onCleanup, Show, Suspense } from "solid-js";
import type { NetworkAsk } from "../../protocol/index.ts";
import { send } from "../model/api/send.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/decisions.ts";
import { Parts } from "../texts/Parts.tsx";
import type { HostWord } from "../../dialog/ids.ts";
import { askKey, choicesOf, networkBody, requestLines } from "./network.ts";
import { hasKeyFocus, isFocusFree } from "./panel-keys.ts";
import { startled } from "./startled.ts";
import { visible } from "./visible.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Visible } from "./Visible.tsx";
import { ByKey } from "../ui/ByKey.tsx";
import { onChange } from "../ui/on-change.ts";

const Exact = lazyPart(() => import("./Exact.tsx"));

export interface NetworkPanelProps {
  readonly dialogId: string;
  readonly callId: string;
  readonly ask: NetworkAsk;
  /** Called when the panel disappears while it has the keyboard focus. */
  readonly leave: () => void;
}

/**
 * A command waits because it wants to connect to a host. The request is shown whole, with nothing hidden. No keyboard shortcut allows it: the user
 * has to press one of the buttons.
 */
export function NetworkPanel(props: NetworkPanelProps) {
  const key = createMemo(() => askKey(props.callId, props.ask));
  /** The answered request. It disappears at once, and comes back if the answer was not accepted. */
  const [answered, setAnswered] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [ready, setReady] = createSignal(false);
  const [panel, setPanel] = createSignal<HTMLElement>();

  onChange(
    () => key(),
    () => {
      setProblem(null);
      setReady(false);
      const timer = setTimeout(() => setReady(true), startled);
      onCleanup(() => clearTimeout(timer));
      // The panel may be built before its tab is in the page.
      requestAnimationFrame(() => {
        if (isFocusFree()) panel()?.focus({ preventScroll: true });
      });
    },
  );

  const title = () =>
    ({ "GET only": t.wantsToReach, "any method": t.wantsMethod, "any method and uploads": t.wantsToSend })[props.ask.needs];
  const meaning = () =>
    ({ "GET only": t.readMeaning, "any method": t.methodMeaning, "any method and uploads": t.sendMeaning })[props.ask.needs];

  async function answer(word: HostWord) {
    const mine = key();
    if (hasKeyFocus(panel())) props.leave();
    setAnswered(mine);
    setProblem(null);
    const refused = await send(networkBody(props.dialogId, props.ask.host, word, props.ask.question));
    if (refused === null || mine !== key()) return;
    setAnswered(null);
    setProblem(t.answerNotTaken(visible(refused)));
  }

  return (
    <Show when={answered() !== key()}>
      <section ref={setPanel} class="ask ask-network" tabindex={-1} aria-labelledby="network-title" aria-describedby="network-meaning">
        <div class="column">
          <h2 id="network-title">
            <Parts
              of={title()}
              slots={{
                host: () => (
                  <span class="host">
                    <Suspense fallback={<Visible text={props.ask.host} />}>
                      <Exact text={props.ask.host} reading="host" />
                    </Suspense>
                  </span>
                ),
              }}
            />
          </h2>
          {/* Scrollable content must be reachable with the keyboard. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <section class="ask-input request" tabindex={0} aria-label={t.theRequest}>
            <dl>
              <dt>{t.requestProgram}</dt>
              <dd>
                <Visible text={props.ask.program} />
              </dd>
              <dt>{t.requestLine}</dt>
              <dd>
                <b>
                  <Visible text={props.ask.method} />
                </b>{" "}
                <Suspense fallback={<Visible text={props.ask.url} />}>
                  <Exact text={props.ask.url} reading="host" />
                </Suspense>
              </dd>
              <For each={requestLines(props.ask)}>
                {([what, text]) => (
                  <>
                    <dt>{what}</dt>
                    <dd>{text}</dd>
                  </>
                )}
              </For>
            </dl>
          </section>
          <p id="network-meaning" class="meaning">
            {meaning()}
          </p>
          <Problem text={problem()} />
          <div class="buttons">
            <ByKey each={choicesOf(props.ask)} by={({ word }) => `${props.ask.question} ${word}`}>
              {(choice, nth) => (
                <button
                  type="button"
                  class={nth() === 0 ? "primary" : "quiet"}
                  disabled={!ready()}
                  onClick={() => void answer(choice().word)}
                >
                  {choice().text}
                </button>
              )}
            </ByKey>
          </div>
        </div>
      </section>
    </Show>
  );
}
