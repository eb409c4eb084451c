import { createEffect, createSignal, For, on, Show } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import { counted } from "../shell/words.ts";
import { CallTitle } from "./Call.tsx";
import { createDecisions, type Decisions } from "./decide.ts";
import { payload, plural, wish } from "./describe.ts";
import { type KeyOfDialog, LockedNote } from "./LockedNote.tsx";
import { ReadToEnd } from "./ReadToEnd.tsx";
import { Visible } from "./Visible.tsx";

/** Milliseconds in which Enter does nothing after the panel has come, so that a key pressed for something else approves nothing. */
const startled = 600;

/**
 * The calls that wait for a person. What is shown is what runs: the exact input, and the decision names what was on the screen
 * by its hash.
 */
export function CallPanel(props: {
  dialogId: string;
  calls: readonly CallView[];
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
    const act = keys[event.key.toLowerCase()];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }
  /** Heard while the panel itself has the focus; each stands on its button. */
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    enter: () => decisions.approveAll(),
    d: () => decisions.denyAll(),
    w: () => setReason(""),
    a: () => decisions.tools().forEach((tool) => decisions.setAlways(tool, !decisions.isAlways(tool))),
  };

  /** Back from the reason, the keys are heard again. */
  function withoutReason() {
    setReason(null);
    panel()?.focus({ preventScroll: true });
  }

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
          <h2 id="ask-title">
            <Show when={one()} fallback={`The agent asks for ${counted(decisions.open().length, "thing")}`}>
              {(call) => (
                <>
                  The agent wants to <Visible text={wish(call().tool)} />
                </>
              )}
            </Show>
          </h2>
          <div class="ask-calls">
            <For each={decisions.open()}>{(call) => <AskedCall call={call} decisions={decisions} isOnly={one() !== undefined} />}</For>
          </div>
          <LockedNote of={props.providerKey} />
          <Show when={decisions.problem()}>
            {(message) => (
              <p class="problem" role="alert">
                Your decision was not taken: <Visible text={message()} />
              </p>
            )}
          </Show>
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

function AskedCall(props: { call: CallView; decisions: Decisions; isOnly: boolean }) {
  return (
    <div class="ask-call">
      <div class="ask-line">
        <Show when={!props.isOnly || payload(props.call)}>
          <CallTitle call={props.call} />
        </Show>
        <Show when={!props.isOnly}>
          <fieldset class="choice">
            <legend class="unseen">
              <Visible text={wish(props.call.tool)} />
            </legend>
            <label>
              <input
                type="radio"
                name={`choice-${props.call.id}`}
                checked={props.decisions.chosen(props.call) === "approve"}
                disabled={!props.decisions.isRead(props.call)}
                onChange={() => props.decisions.choose(props.call, "approve")}
              />
              approve
            </label>
            <label>
              <input
                type="radio"
                name={`choice-${props.call.id}`}
                checked={props.decisions.chosen(props.call) === "deny"}
                onChange={() => props.decisions.choose(props.call, "deny")}
              />
              deny
            </label>
          </fieldset>
        </Show>
      </div>
      <ReadToEnd call={props.call} onRead={() => props.decisions.markRead(props.call)} />
    </div>
  );
}

function Answers(props: { decisions: Decisions; isOnly: boolean; explain: () => void }) {
  /** Whoever has begun to choose one by one goes on so. */
  const allAtOnce = () => props.decisions.allRead() && props.decisions.untouched();
  return (
    <div class="buttons">
      <Show
        when={props.isOnly}
        fallback={
          <>
            <button
              type="button"
              class={allAtOnce() ? "quiet" : "primary"}
              disabled={!props.decisions.complete()}
              onClick={() => props.decisions.sendChoices()}
            >
              Send decisions
            </button>
            <button
              type="button"
              class={allAtOnce() ? "primary" : "quiet"}
              disabled={!props.decisions.allRead()}
              onClick={() => props.decisions.approveAll()}
            >
              Approve all <kbd>↵</kbd>
            </button>
          </>
        }
      >
        <button
          type="button"
          class="primary"
          disabled={!props.decisions.allRead()}
          aria-describedby="ask-hint"
          onClick={() => props.decisions.approveAll()}
        >
          Approve <kbd>↵</kbd>
        </button>
      </Show>
      <button type="button" class="quiet" onClick={() => props.decisions.denyAll()}>
        {props.isOnly ? "Deny" : "Deny all"} <kbd aria-hidden="true">D</kbd>
      </button>
      <button type="button" class="quiet" onClick={() => props.explain()}>
        Deny and say why… <kbd aria-hidden="true">W</kbd>
      </button>
      <div class="always">
        <For each={props.decisions.tools()}>
          {(tool) => (
            <label>
              <input
                type="checkbox"
                checked={props.decisions.isAlways(tool)}
                onChange={(event) => props.decisions.setAlways(tool, event.currentTarget.checked)}
              />
              <span>
                always allow <Visible text={plural(tool)} /> in this dialog <kbd aria-hidden="true">A</kbd>
              </span>
            </label>
          )}
        </For>
      </div>
      <p id="ask-hint" class="hint">
        {props.decisions.allRead() ? "" : "Read to the end of what it wants to do, then you can approve."}
      </p>
    </div>
  );
}

function Reason(props: { text: string; edit: (text: string) => void; send: () => void; back: () => void }) {
  return (
    <form
      class="reason"
      onSubmit={(event) => {
        event.preventDefault();
        props.send();
      }}
    >
      <label>
        <span>Why not? The agent reads this and goes on.</span>
        <input
          ref={(input) => queueMicrotask(() => input.focus())}
          value={props.text}
          onInput={(event) => props.edit(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Escape" && props.back()}
        />
      </label>
      <div class="buttons">
        <button type="submit" class="primary" disabled={props.text.trim() === ""}>
          Deny and send
        </button>
        <button type="button" class="quiet" onClick={() => props.back()}>
          Back
        </button>
      </div>
    </form>
  );
}
