import { createEffect, createMemo, createSignal, For, on, onCleanup, Show, Suspense, untrack } from "solid-js";
import type { CallView } from "../../protocol/index.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/decisions.ts";
import { AlwaysLike } from "./AlwaysLike.tsx";
import { Always, Answers, answerKeys, Reason } from "./Answers.tsx";
import { AskedCall } from "./AskedCall.tsx";
import { createDecisions, type Decisions } from "./decide.ts";
import { words } from "./describe.ts";
import { type KeyOfDialog, LockedNote } from "./LockedNote.tsx";
import { hasKeyFocus, isFocusFree, keyOf } from "./panel-keys.ts";
import { showNext } from "./show-next.ts";
import { visible } from "./visible.ts";
import { lazyPart } from "../ui/lazy-part.tsx";

const OutsideCall = lazyPart(() => import("./OutsideCall.tsx"));

/** Milliseconds in which no key does anything after the panel has come, nor Enter after its button has changed: one pressed for something else approves nothing. */
const startled = 600;
/** Milliseconds before the panel says what has to be read: most of what is asked for is in sight at once. */
const patience = 300;

const nameOf = (call: CallView) => `${call.id} ${call.hash}`;

/**
 * The calls that wait for a person. What is shown is what runs: the exact input, and the decision names what was on the screen
 * by its hash.
 */
export function CallPanel(props: {
  dialogId: string;
  calls: readonly CallView[];
  /** The answer that asks for them did not come to its own end. */
  cut: boolean;
  /** What the agent said before each call, by its id. */
  reasons: ReadonlyMap<string, string>;
  providerKey: KeyOfDialog;
  /** The framework of an agent outside Vibey; null: it is one of Vibey's. */
  outside: string | null;
  onSending: (sending: boolean) => void;
  /** The panel goes, and the keyboard's focus is in it. */
  leave: () => void;
  /** Says what went wrong when the panel is gone. */
  failed: (problem: string) => void;
}) {
  const [panel, setPanel] = createSignal<HTMLElement>();
  const decisions = createDecisions(
    () => props.dialogId,
    () => props.calls,
    (sending) => {
      if (sending && hasKeyFocus(panel())) props.leave();
      props.onSending(sending);
    },
    // Nothing of Vibey's continues an agent that runs elsewhere.
    async () => props.outside !== null || props.providerKey.ready(),
    (why) => props.failed(t.notTaken(visible(why))),
  );
  const [late, setLate] = createSignal(false);
  /** Several calls take the room of the messages until one asks for those. */
  const [messages, setMessages] = createSignal(false);
  /** Rows are kept by these: when more is known of a call, its row and how far it was read stay. */
  const names = createMemo(() => decisions.open().map(nameOf));
  const one = () => (decisions.open().length === 1 ? decisions.open()[0] : undefined);
  const isOnly = () => one() !== undefined;
  /** The call whose denial is being explained. */
  const explained = () => {
    const call = one();
    return call !== undefined && decisions.isExplained(call) ? call : null;
  };
  /** Of the agents outside Vibey one takes other arguments than its own. Its questions have fields for the answers instead. */
  const canEdit = (call: CallView | undefined) =>
    props.outside === null || (props.outside === "claude-code" && call?.tool !== "AskUserQuestion");
  const problem = () => {
    const why = decisions.problem();
    return why === null ? null : t.notTaken(visible(why));
  };
  /** Until then no key is heard, and until then not Enter. */
  const deafUntil = { all: 0, enter: 0 };

  const isThere = createMemo(() => decisions.open().length > 0);
  createEffect(
    on(isThere, (there) => {
      if (!there) return;
      deafUntil.all = performance.now() + startled;
      setLate(false);
      setMessages(false);
      const timer = setTimeout(() => setLate(true), patience);
      onCleanup(() => clearTimeout(timer));
      // The panel may be built before its tab is in the page.
      requestAnimationFrame(() => {
        if (isFocusFree()) panel()?.focus({ preventScroll: true });
      });
    }),
  );
  // Enter shows more until all was in view, and then approves: one press too many does nothing.
  createEffect(
    on(decisions.step, () => {
      deafUntil.enter = performance.now() + startled;
    }),
  );

  function onKey(event: KeyboardEvent) {
    const key = keyOf(event);
    const act = key === null || explained() !== null ? undefined : keys[key];
    if (act === undefined || performance.now() < Math.max(deafUntil.all, key === "ENTER" ? deafUntil.enter : 0)) return;
    event.preventDefault();
    act();
  }
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    ENTER: () => (decisions.step() === "next" ? showMore() : decisions.approveRest()),
    [answerKeys.deny]: () => decisions.step() !== "send" && void decisions.denyRest(),
    [answerKeys.explain]: () => decisions.askReason(one() ?? null),
    [answerKeys.edit]: () => {
      const call = one();
      if (call !== undefined && canEdit(call)) decisions.edits.toggle(call);
    },
    [answerKeys.always]: () => props.outside === null && alwaysAll(),
    [answerKeys.like]: likeAll,
  };

  /** Shows more of the first call that was not wholly in view; what is folded of it unfolds. */
  function showMore() {
    const [call] = decisions.unread();
    if (call === undefined) return;
    decisions.unfold(call);
    const shown = panel()?.querySelectorAll(".ask-call")[decisions.open().indexOf(call)];
    if (shown) showNext(shown);
  }

  /** Sets all of them, or where all are set none. */
  function alwaysAll() {
    const tools = decisions.tools();
    const next = !tools.every((tool) => decisions.isAlways(tool));
    for (const tool of tools) decisions.setAlways(tool, next);
  }

  /** The same for the like of each call that there is a pattern for. */
  function likeAll() {
    const calls = decisions.open().filter(({ patterns }) => patterns !== undefined);
    const next = calls.every((call) => decisions.like(call) !== null) ? null : 0;
    for (const call of calls) decisions.setLike(call, next === null ? null : (decisions.like(call) ?? next));
  }

  /** Back from the reason, the keys are heard again. */
  function withoutReason(call: CallView) {
    decisions.explain(call, "");
    decisions.askReason(null);
    panel()?.focus({ preventScroll: true });
  }

  /** Where one call waits it is what names the tool, so it reads as the call does now. */
  const title = () => {
    const call = one();
    return call === undefined ? t.asksFor(decisions.open().length) : words(call.tool).wants;
  };
  return (
    <Show when={isThere()}>
      <section
        ref={(element) => {
          setPanel(element);
          element.addEventListener("keydown", onKey);
        }}
        class="ask"
        classList={{ several: !isOnly(), beside: messages() }}
        tabindex={-1}
        aria-labelledby="ask-title"
      >
        <div class="column">
          <div class="ask-top">
            <h2 id="ask-title">{title()}</h2>
            <Show when={!isOnly()}>
              <button type="button" class="quiet small" aria-pressed={messages()} onClick={() => setMessages(!messages())}>
                {t.showMessages}
              </button>
            </Show>
          </div>
          <Show when={props.cut}>
            <p class="hint">{t.cutOff}</p>
          </Show>
          <div class="ask-body">
            <ol class="ask-calls">
              <For each={names()}>
                {(name, index) => {
                  const first = decisions.open()[untrack(index)];
                  // A call that has just been decided is shown until its row is gone.
                  const call = createMemo(
                    (last: CallView | undefined) => decisions.open().find((each) => nameOf(each) === name) ?? last,
                    first,
                  );
                  return (
                    <Show when={call()}>
                      {(asked) => (
                        <AskedCall
                          call={asked()}
                          nth={index() + 1}
                          decisions={decisions}
                          isOnly={isOnly()}
                          canEdit={canEdit(asked())}
                          why={props.reasons.get(asked().id) ?? null}
                        />
                      )}
                    </Show>
                  );
                }}
              </For>
            </ol>
            <Show when={explained() === null}>
              <Show when={props.outside} fallback={<AlwaysHere one={one()} decisions={decisions} />}>
                {(framework) => (
                  <Suspense>
                    <For each={decisions.open()}>{(call) => <OutsideCall call={call} framework={framework()} decisions={decisions} />}</For>
                  </Suspense>
                )}
              </Show>
            </Show>
          </div>
          <Show when={props.outside === null}>
            <LockedNote of={props.providerKey} />
          </Show>
          <Problem text={problem()} />
          <Show
            when={explained()}
            fallback={
              <Answers
                decisions={decisions}
                only={one() ?? null}
                canEdit={canEdit(one())}
                late={late()}
                showNext={showMore}
                explain={() => decisions.askReason(one() ?? null)}
              />
            }
          >
            {(call) => (
              <Reason
                text={decisions.reason(call())}
                edit={(text) => decisions.explain(call(), text)}
                send={() => void decisions.denyRest()}
                back={() => withoutReason(call())}
              />
            )}
          </Show>
        </div>
      </section>
    </Show>
  );
}

function AlwaysHere(props: { one: CallView | undefined; decisions: Decisions }) {
  return (
    <>
      <Show when={props.one && props.decisions.edits.changed(props.one) === null && props.one}>
        {(call) => <AlwaysLike call={call()} decisions={props.decisions} />}
      </Show>
      <Always decisions={props.decisions} />
    </>
  );
}
