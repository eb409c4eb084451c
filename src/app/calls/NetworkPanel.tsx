import { createEffect, createMemo, createSignal, on, onCleanup, Show } from "solid-js";
import type { NetworkAsk } from "../../engine/api.ts";
import { send } from "../api/send.ts";
import { Problem } from "../shell/Problem.tsx";
import * as t from "../texts/decisions.ts";
import { Parts } from "../texts/Parts.tsx";
import { askKey, networkBody } from "./network.ts";
import { visible } from "./visible.ts";
import { Visible } from "./Visible.tsx";

/** Milliseconds in which the panel takes no click after it has come, so that one meant for what stood there before allows nothing. */
const startled = 600;

export interface NetworkPanelProps {
  readonly dialogId: string;
  readonly callId: string;
  readonly ask: NetworkAsk;
}

/**
 * A command waits because it wants to reach a host. What it would do there stands whole, with nothing hidden; no key allows it
 * from afar: one of the two buttons has to be pressed.
 */
export function NetworkPanel(props: NetworkPanelProps) {
  const key = createMemo(() => askKey(props.callId, props.ask));
  /** The ask that was answered; it is gone at once, and back when the answer was not taken. */
  const [answered, setAnswered] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  const [ready, setReady] = createSignal(false);
  const [panel, setPanel] = createSignal<HTMLElement>();

  createEffect(
    on(key, () => {
      setProblem(null);
      setReady(false);
      const timer = setTimeout(() => setReady(true), startled);
      onCleanup(() => clearTimeout(timer));
      // The panel may be built before its tab is in the page.
      requestAnimationFrame(() => {
        const active = document.activeElement;
        const isIdle = active === null || active === document.body || (active instanceof HTMLTextAreaElement && active.disabled);
        if (isIdle) panel()?.focus({ preventScroll: true });
      });
    }),
  );

  async function answer(allow: boolean) {
    const mine = key();
    setAnswered(mine);
    setProblem(null);
    const refused = await send(networkBody(props.dialogId, props.ask.host, allow));
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
              of={t.wantsToReach}
              slots={{
                host: () => (
                  <span class="host">
                    <Visible text={props.ask.host} />
                  </span>
                ),
              }}
            />
          </h2>
          {/* What scrolls must be reachable with keys. */}
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
                <Visible text={props.ask.url} />
              </dd>
            </dl>
          </section>
          <p id="network-meaning" class="meaning">
            {t.reachMeaning}
          </p>
          <Problem text={problem()} />
          <div class="buttons">
            <button type="button" class="primary" disabled={!ready()} onClick={() => void answer(true)}>
              {t.allowHost}
            </button>
            <button type="button" class="quiet" disabled={!ready()} onClick={() => void answer(false)}>
              {t.refuseHost}
            </button>
          </div>
        </div>
      </section>
    </Show>
  );
}
