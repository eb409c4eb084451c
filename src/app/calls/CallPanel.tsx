import { batch, createEffect, createMemo, createSignal, For, on, onCleanup, Show } from "solid-js";
import type { CallView } from "../../engine/api.ts";
import { counted } from "../shell/words.ts";
import { CallInput, CallTitle } from "./Call.tsx";
import { type Choice, decisionBody } from "./decisions.ts";
import { payload, plural, wish } from "./describe.ts";
import { send } from "../dialogs/open-dialog.ts";
import { Visible } from "./Visible.tsx";

/** Milliseconds in which Enter does nothing after the panel has come, so that a key pressed for something else approves nothing. */
const startled = 600;
/** UTF-16 units from which a file's content is named and not shown until it is opened. */
const largePayload = 1_200;

/**
 * The calls that wait for a person. What is shown is what runs: the exact input, and the decision names what was on the screen
 * by its hash. After the click the panel is gone; it comes back with the message when the engine did not take the decision.
 */
export function CallPanel(props: { dialogId: string; calls: readonly CallView[]; onSent: (waiting: boolean) => void }) {
  const [decided, setDecided] = createSignal<ReadonlySet<string>>(new Set());
  const [choices, setChoices] = createSignal<ReadonlyMap<string, Choice>>(new Map());
  const [read, setRead] = createSignal<ReadonlySet<string>>(new Set());
  const [always, setAlways] = createSignal<ReadonlySet<string>>(new Set());
  const [reason, setReason] = createSignal<string | null>(null);
  const [problem, setProblem] = createSignal<string | null>(null);
  let panel: HTMLElement | undefined;
  let cameAt = 0;

  const open = createMemo(() => props.calls.filter((call) => !decided().has(call.id)), [], {
    equals: (a, b) => a.length === b.length && a.every((call, index) => call.hash === b[index]?.hash && call.id === b[index]?.id),
  });
  const one = () => (open().length === 1 ? open()[0] : undefined);
  const tools = createMemo(() => Array.from(new Set(open().map((call) => call.tool))));
  const allRead = () => open().every((call) => read().has(call.hash));
  const complete = () => open().every((call) => choices().has(call.hash));

  createEffect(
    on(open, (calls, before) => {
      if (calls.length === 0 || (before ?? []).length > 0) return;
      cameAt = performance.now();
      // The panel may be built before its tab is in the page.
      requestAnimationFrame(() => {
        const active = document.activeElement;
        const isIdle = active === null || active === document.body || (active instanceof HTMLTextAreaElement && active.disabled);
        if (isIdle) panel?.focus({ preventScroll: true });
      });
    }),
  );

  async function decide(choice: (call: CallView) => Choice, why = "") {
    const calls = open();
    const picked = calls.map((call) => ({ call, choice: choice(call) }));
    const allow = Array.from(always()).filter((tool) => picked.some((pick) => pick.call.tool === tool && pick.choice === "approve"));
    batch(() => {
      setDecided(new Set([...decided(), ...calls.map((call) => call.id)]));
      setProblem(null);
      setReason(null);
    });
    props.onSent(true);
    const refused = await send(decisionBody(props.dialogId, picked, allow, why));
    props.onSent(false);
    if (refused === null) return;
    const back = new Set(decided());
    for (const call of calls) back.delete(call.id);
    batch(() => {
      setDecided(back);
      setProblem(refused);
    });
  }
  const approveAll = () => allRead() && void decide(() => "approve");
  const denyAll = () => void decide(() => "deny");

  function choose(call: CallView, choice: Choice) {
    setChoices(new Map(choices()).set(call.hash, choice));
  }
  function tick(tool: string, on: boolean) {
    const next = new Set(always());
    if (on) next.add(tool);
    else next.delete(tool);
    setAlways(next);
  }
  function onKey(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.repeat || performance.now() - cameAt < startled) return;
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    approveAll();
  }

  return (
    <Show when={open().length > 0}>
      <section ref={panel} class="ask" tabindex={-1} aria-labelledby="ask-title" onKeyDown={onKey}>
        <div class="column">
          <h3 id="ask-title">
            <Show when={one()} fallback={`The agent asks for ${counted(open().length, "thing")}`}>
              {(call) => (
                <>
                  The agent wants to <Visible text={wish(call().tool)} />
                </>
              )}
            </Show>
          </h3>
          <div class="ask-calls">
            <For each={open()}>
              {(call) => (
                <div class="ask-call">
                  <div class="ask-line">
                    <Show when={one() === undefined || payload(call)}>
                      <CallTitle call={call} />
                    </Show>
                    <Show when={one() === undefined}>
                      <fieldset class="choice">
                        <legend class="unseen">
                          <Visible text={wish(call.tool)} />
                        </legend>
                        <label>
                          <input
                            type="radio"
                            name={`choice-${call.id}`}
                            checked={choices().get(call.hash) === "approve"}
                            disabled={!read().has(call.hash)}
                            onChange={() => choose(call, "approve")}
                          />
                          approve
                        </label>
                        <label>
                          <input
                            type="radio"
                            name={`choice-${call.id}`}
                            checked={choices().get(call.hash) === "deny"}
                            onChange={() => choose(call, "deny")}
                          />
                          deny
                        </label>
                      </fieldset>
                    </Show>
                  </div>
                  <ReadToEnd call={call} onRead={() => setRead(new Set([...read(), call.hash]))} />
                </div>
              )}
            </For>
          </div>
          <Show when={problem()}>
            {(message) => (
              <p class="problem" role="alert">
                Your decision was not taken: {message()}
              </p>
            )}
          </Show>
          <Show
            when={reason() === null}
            fallback={
              <form
                class="reason"
                onSubmit={(event) => {
                  event.preventDefault();
                  void decide(() => "deny", reason() ?? "");
                }}
                onKeyDown={(event) => event.key === "Escape" && setReason(null)}
              >
                <label>
                  <span>Why not? The agent reads this and goes on.</span>
                  <input
                    ref={(input) => queueMicrotask(() => input.focus())}
                    value={reason() ?? ""}
                    onInput={(event) => setReason(event.currentTarget.value)}
                  />
                </label>
                <div class="buttons">
                  <button type="submit" class="primary" disabled={(reason() ?? "").trim() === ""}>
                    Deny and send
                  </button>
                  <button type="button" class="quiet" onClick={() => setReason(null)}>
                    Back
                  </button>
                </div>
              </form>
            }
          >
            <div class="buttons">
              <Show
                when={one()}
                fallback={
                  <>
                    <button
                      type="button"
                      class="primary"
                      disabled={!complete()}
                      onClick={() => void decide((call) => choices().get(call.hash) ?? "deny")}
                    >
                      Send decisions
                    </button>
                    <button type="button" class="quiet" disabled={!allRead()} onClick={approveAll}>
                      Approve all
                    </button>
                    <button type="button" class="quiet" onClick={denyAll}>
                      Deny all
                    </button>
                  </>
                }
              >
                <button type="button" class="primary" disabled={!allRead()} aria-describedby="ask-hint" onClick={approveAll}>
                  Approve <kbd>↵</kbd>
                </button>
                <button type="button" class="quiet" onClick={denyAll}>
                  Deny
                </button>
              </Show>
              <button type="button" class="quiet" onClick={() => setReason("")}>
                Deny and say why…
              </button>
              <div class="always">
                <For each={tools()}>
                  {(tool) => (
                    <label>
                      <input type="checkbox" checked={always().has(tool)} onChange={(event) => tick(tool, event.currentTarget.checked)} />
                      <span>
                        always allow <Visible text={plural(tool)} /> in this dialog
                      </span>
                    </label>
                  )}
                </For>
              </div>
              <p id="ask-hint" class="hint">
                {allRead() ? "" : "Read to the end of what it wants to do, then you can approve."}
              </p>
            </div>
          </Show>
        </div>
      </section>
    </Show>
  );
}

/** The input in a box of limited height. It is read when its end has been in sight. */
function ReadToEnd(props: { call: CallView; onRead: () => void }) {
  // The panel keeps one box per call, and a call that reads otherwise has another box.
  // oxlint-disable-next-line solid/reactivity
  const [shown, setShown] = createSignal((payload(props.call)?.content.length ?? 0) <= largePayload || props.call.before !== null);
  let box: HTMLDivElement | undefined;
  let end: HTMLDivElement | undefined;

  createEffect(() => {
    if (!shown() || box === undefined || end === undefined) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // A diff that is still being fetched is no end.
        if (entries.some((entry) => entry.isIntersecting) && box?.querySelector(".faint") === null) props.onRead();
      },
      // The end counts as seen only where it really shows, whatever scrolls around it.
      { rootMargin: "0px" },
    );
    observer.observe(end);
    const settled = new MutationObserver(() => {
      if (end === undefined) return;
      observer.unobserve(end);
      observer.observe(end);
    });
    settled.observe(box, { childList: true, subtree: true });
    onCleanup(() => {
      observer.disconnect();
      settled.disconnect();
    });
  });

  return (
    <Show
      when={shown()}
      fallback={
        <button type="button" class="quiet show-payload" onClick={() => setShown(true)}>
          Show the whole file
        </button>
      }
    >
      <div ref={box} class="ask-input" tabindex={0} role="region" aria-label="Exact input">
        <CallInput call={props.call} />
        <div ref={end} class="ask-end" />
      </div>
    </Show>
  );
}
