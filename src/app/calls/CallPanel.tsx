import { createEffect, createSignal, For, on, Show } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import { Problem } from "../shell/Problem.tsx";
import * as t from "../texts/decisions.ts";
import { Always, Answers, answerKeys, Reason } from "./Answers.tsx";
import { AskedCall } from "./AskedCall.tsx";
import { createDecisions } from "./decide.ts";
import { words } from "./describe.ts";
import { type KeyOfDialog, LockedNote } from "./LockedNote.tsx";
import { visible } from "./visible.ts";

/** Milliseconds in which Enter does nothing after the panel has come, so that a key pressed for something else approves nothing. */
const startled = 600;

/**
 * The calls that wait for a person. What is shown is what runs: the exact input, and the decision names what was on the screen
 * by its hash.
 */
export function CallPanel(props: {
  dialogId: string;
  calls: readonly CallView[];
  /** The answer that asks for them did not come to its own end. */
  cut: boolean;
  providerKey: KeyOfDialog;
  onSending: (sending: boolean) => void;
}) {
  const decisions = createDecisions(
    () => props.dialogId,
    () => props.calls,
    (sending) => props.onSending(sending),
    () => props.providerKey.ready(),
  );
  const [reason, setReason] = createSignal<string | null>(null);
  const [panel, setPanel] = createSignal<HTMLElement>();
  const one = () => (decisions.open().length === 1 ? decisions.open()[0] : undefined);
  const problem = () => {
    const why = decisions.problem();
    return why === null ? null : t.notTaken(visible(why));
  };
  let cameAt = 0;

  createEffect(
    on(decisions.open, (calls, before) => {
      if (calls.length === 0) setReason(null);
      if (calls.length === 0 || (before ?? []).length > 0) return;
      cameAt = performance.now();
      // The panel may be built before its tab is in the page.
      requestAnimationFrame(() => {
        const active = document.activeElement;
        const isIdle = active === null || active === document.body || (active instanceof HTMLTextAreaElement && active.disabled);
        if (isIdle) panel()?.focus({ preventScroll: true });
      });
    }),
  );

  function onKey(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.repeat || performance.now() - cameAt < startled) return;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const act = keys[event.key.toUpperCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ENTER: () => decisions.approveAll(),
    [answerKeys.deny]: () => decisions.denyAll(),
    [answerKeys.explain]: () => setReason(""),
    [answerKeys.always]: alwaysAll,
  };

  /** Sets all of them, or where all are set none. */
  function alwaysAll() {
    const tools = decisions.tools();
    const next = !tools.every((tool) => decisions.isAlways(tool));
    for (const tool of tools) decisions.setAlways(tool, next);
  }

  /** Back from the reason, the keys are heard again. */
  function withoutReason() {
    setReason(null);
    panel()?.focus({ preventScroll: true });
  }

  /** Where one call waits it is what names the tool, so it reads as the call does now. */
  const title = () => {
    const call = one();
    return call === undefined ? t.asksFor(decisions.open().length) : words(call.tool).wants;
  };
  return (
    <Show when={decisions.open().length > 0}>
      <section
        ref={(element) => {
          setPanel(element);
          element.addEventListener("keydown", onKey);
        }}
        class="ask"
        tabindex={-1}
        aria-labelledby="ask-title"
      >
        <div class="column">
          <h2 id="ask-title">{title()}</h2>
          <Show when={props.cut}>
            <p class="hint">{t.cutOff}</p>
          </Show>
          <div class="ask-body">
            <div class="ask-calls">
              <For each={decisions.open()}>{(call) => <AskedCall call={call} decisions={decisions} isOnly={one() !== undefined} />}</For>
            </div>
            <Show when={reason() === null}>
              <Always decisions={decisions} />
            </Show>
          </div>
          <LockedNote of={props.providerKey} />
          <Problem text={problem()} />
          <Show
            when={reason() !== null}
            fallback={<Answers decisions={decisions} isOnly={one() !== undefined} explain={() => setReason("")} />}
          >
            <Reason text={reason() ?? ""} edit={setReason} send={() => decisions.denyAll(reason() ?? "")} back={withoutReason} />
          </Show>
        </div>
      </section>
    </Show>
  );
}
