import { createMemo, createSignal, For, onCleanup, Show, Suspense, untrack } from "solid-js";
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
import { startled } from "./startled.ts";
import { visible } from "./visible.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { onChange } from "../ui/on-change.ts";

const OutsideCall = lazyPart(() => import("./OutsideCall.tsx"));

/** Milliseconds before the panel says what is still to be read: usually everything is in view at once. */
const patience = 300;

const nameOf = (call: CallView) => `${call.id} ${call.hash}`;

/** The calls that wait for the user. What is shown is what runs: the input is exact, and the decision names what was on the screen by its hash. */
export function CallPanel(props: {
  dialogId: string;
  calls: readonly CallView[];
  /** Whether the response with the calls was cut short. */
  cut: boolean;
  /** What the agent said before each call, by the call's id. */
  reasons: ReadonlyMap<string, string>;
  providerKey: KeyOfDialog;
  /** The framework of an agent outside Vibey; null: Vibey's own agent. */
  outside: string | null;
  onSending: (sending: boolean) => void;
  /** Called when the panel disappears while it has the keyboard focus. */
  leave: () => void;
  /** Reports a problem after the panel has disappeared. */
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
    // An agent outside Vibey needs no key of Vibey's to continue.
    async () => props.outside !== null || props.providerKey.ready(),
    (why) => props.failed(t.notTaken(visible(why))),
  );
  const [late, setLate] = createSignal(false);
  /** Several calls cover the messages, until the user asks to see the messages. */
  const [messages, setMessages] = createSignal(false);
  /** The keys of the rows. When more becomes known about a call, its row and reading state stay. */
  const names = createMemo(() => decisions.open().map(nameOf));
  const allNames = createMemo(() => names().join("\n"));
  const one = () => (decisions.open().length === 1 ? decisions.open()[0] : undefined);
  const isOnly = () => one() !== undefined;
  /** The call whose denial is being explained. */
  const explained = () => {
    const call = one();
    return call !== undefined && decisions.isExplained(call) ? call : null;
  };
  /** Of the agents outside Vibey, only Claude Code accepts changed arguments. Its questions have fields for the answers instead. */
  const canEdit = (call: CallView | undefined) =>
    props.outside === null || (props.outside === "claude-code" && call?.tool !== "AskUserQuestion");
  const problem = () => {
    const why = decisions.problem();
    return why === null ? null : t.notTaken(visible(why));
  };
  /** The times until which no key works (`all`), and until which Enter doesn't work: after the panel appears, and after its button changes. */
  const deafUntil = { all: 0, enter: 0 };
  /** Whether the same calls have been there long enough to be approved with a click. */
  const [steady, setSteady] = createSignal(false);

  const isThere = createMemo(() => decisions.open().length > 0);
  onChange(
    () => isThere(),
    (there) => {
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
    },
  );
  // Enter shows more until everything was in view, and then approves. One extra press does nothing.
  onChange(decisions.step, () => {
    deafUntil.enter = performance.now() + startled;
  });

  // What becomes known about the same calls a moment later changes nothing.
  onChange(
    () => allNames(),
    () => {
      setSteady(false);
      keepFocus();
      const timer = setTimeout(() => setSteady(true), startled);
      onCleanup(() => clearTimeout(timer));
    },
  );

  /** A button that is disabled while it has the focus would leave the keyboard without one. */
  function keepFocus() {
    const active = document.activeElement;
    const around = panel();
    if (!(active instanceof HTMLButtonElement) || around?.contains(active) !== true) return;
    queueMicrotask(() => active.disabled && around.focus({ preventScroll: true }));
  }

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

  /** Shows more of the first call that was not completely in view, and unfolds it. */
  function showMore() {
    const [call] = decisions.unread();
    if (call === undefined) return;
    decisions.unfold(call);
    const shown = panel()?.querySelectorAll(".ask-call")[decisions.open().indexOf(call)];
    if (shown) showNext(shown);
  }

  /** Sets all of them, or clears all if all are set. */
  function alwaysAll() {
    const tools = decisions.tools();
    const next = !tools.every((tool) => decisions.isAlways(tool));
    for (const tool of tools) decisions.setAlways(tool, next);
  }

  /** Does the same for each call that has a pattern. */
  function likeAll() {
    const calls = decisions.open().filter(({ patterns }) => patterns !== undefined);
    const next = calls.every((call) => decisions.like(call) !== null) ? null : 0;
    for (const call of calls) decisions.setLike(call, next === null ? null : (decisions.like(call) ?? next));
  }

  /** Leaves the reason field, so that the panel's keys work again. */
  function withoutReason(call: CallView) {
    decisions.explain(call, "");
    decisions.askReason(null);
    panel()?.focus({ preventScroll: true });
  }

  /** For a single call, the title names its tool and follows the call's current state. */
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
                  // Keeps showing a call that was just decided until its row is gone.
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
                steady={steady()}
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
