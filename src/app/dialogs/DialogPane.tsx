import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { readDialog, setStatus } from "../api/calls.ts";
import { send } from "../api/send.ts";
import { revokeBody } from "../calls/decisions.ts";
import { CallPanel } from "../calls/CallPanel.tsx";
import { plural } from "../calls/describe.ts";
import { Visible } from "../calls/Visible.tsx";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import type { Notices } from "../shell/notices.ts";
import { formatRoute } from "../shell/route.ts";
import { Composer } from "./Composer.tsx";
import { doing } from "./groups.ts";
import { MessageList } from "./MessageList.tsx";
import type { Head, OpenDialog } from "./open-dialog.ts";
import { Countdown } from "./Countdown.tsx";

const goOn = "Please go on.";

export function DialogPane(props: { dialog: OpenDialog; drafts: Drafts; notices: Notices; takesFocus: (dialogId: string) => boolean }) {
  return (
    <Show
      when={props.dialog.head()}
      fallback={<p class="empty">{props.dialog.lost() ? "The engine does not answer. Trying again…" : ""}</p>}
    >
      {(head) => <Pane head={head()} dialog={props.dialog} drafts={props.drafts} notices={props.notices} takesFocus={props.takesFocus} />}
    </Show>
  );
}

interface PaneProps {
  readonly head: Head;
  readonly dialog: OpenDialog;
  readonly drafts: Drafts;
  readonly notices: Notices;
  readonly takesFocus: (dialogId: string) => boolean;
}

function Pane(props: PaneProps) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [deciding, setDeciding] = createSignal(false);
  const active = () => props.head.status === "active";
  const last = () => props.dialog.slots().at(-1)?.message();
  /** Only a dialog that waits asks for decisions; what a done one left open is not decided. */
  const asked = createMemo(() => (props.head.status === "waiting" ? props.dialog.pending() : []));
  const left = createMemo(() => (props.head.status === "done" ? props.dialog.pending() : []));
  const [pane, setPane] = createSignal<HTMLElement>();
  let stopping = false;
  const nothingYet = () => props.dialog.slots().length === 0 && props.dialog.sent() === null;

  const reason = createMemo(() => {
    if (props.head.readOnlyReason !== null) return props.head.readOnlyReason;
    if (asked().length > 0) return deciding() ? "Your decision is on its way." : "Decide above what the agent may do; then you can write.";
    if (active()) return "The agent is at work. You can stop it, or write when its turn ends.";
    return null;
  });
  /** The turn did not come to its own end, so one click lets the agent go on. */
  const resumable = () =>
    props.head.status === "waiting" &&
    reason() === null &&
    props.dialog.sent() === null &&
    (props.head.failure !== null || last()?.stop != null || endsWithCalls());
  /** Calls that the agent has not answered to: denied, or stopped with the turn. */
  const endsWithCalls = () => last()?.parts.some((part) => part.kind === "call") ?? false;

  createEffect(
    on(
      () => props.head.dialogId,
      () => setProblem(null),
      { defer: true },
    ),
  );
  createEffect(
    on([() => props.head.status, () => asked().length], ([status, pending], before) => {
      if (before === undefined) return;
      if (pending > 0 && before[1] === 0) props.notices.announce("The agent asks for your leave.");
      else if (status !== before[0]) props.notices.announce(`${slugOf(props.head.dialogId)} ${doing(status, null)}.`);
    }),
  );

  // The button that had the focus is gone once the agent has stopped.
  createEffect(
    on(active, (now) => {
      if (now || !stopping) return;
      stopping = false;
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) pane()?.querySelector<HTMLElement>("textarea:enabled")?.focus();
      });
    }),
  );

  function stop() {
    stopping = true;
    void change("waiting");
  }
  async function change(status: "waiting" | "done") {
    const answer = await setStatus(props.head.dialogId, status);
    if (!answer.ok) stopping = false;
    setProblem(answer.ok ? null : answer.message);
  }
  async function resume() {
    setProblem(await props.dialog.say({ dialogId: props.head.dialogId, prompt: goOn }));
  }
  async function revoke(tool: string) {
    setProblem(await send(revokeBody(props.head.dialogId, tool)));
  }
  async function copy() {
    const answer = await readDialog(props.head.dialogId);
    if (!answer.ok) return setProblem(`Not copied: ${answer.message}`);
    try {
      await navigator.clipboard.writeText(answer.value.markdown);
      return props.notices.announce("Copied as markdown.");
    } catch (error) {
      return setProblem(`Not copied: the browser refused (${error instanceof Error ? error.message : String(error)}).`);
    }
  }

  return (
    <div ref={setPane} class="dialog-pane">
      <header class="dialog-head">
        <h2 title={props.head.filename}>
          <Visible text={slugOf(props.head.dialogId)} />
        </h2>
        <p class={`doing doing-${props.head.status}`}>
          <Show
            when={props.head.activity?.kind === "retrying" && props.head.activity}
            fallback={doing(props.head.status, props.head.activity)}
          >
            {(retry) => <Countdown at={retry().at} reason={retry().reason} />}
          </Show>
          <Show when={props.head.launchedBy}>
            {(by) => (
              <>
                {" · launched by "}
                <a href={formatRoute({ tab: "dialogs", dialogId: by() })}>
                  <Visible text={slugOf(by())} />
                </a>
              </>
            )}
          </Show>
        </p>
        <div class="dialog-actions">
          <Show when={active()}>
            <button type="button" class="stop-button" onClick={stop}>
              Stop
            </button>
          </Show>
          <Show when={props.head.status !== "done"}>
            <button type="button" class="quiet" onClick={() => void change("done")}>
              Mark done
            </button>
          </Show>
          <button type="button" class="quiet" popovertarget="dialog-more">
            More
          </button>
          <div id="dialog-more" popover="auto" class="menu">
            <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => void copy()}>
              Copy as markdown
            </button>
            <a href={formatRoute({ tab: "docs", file: { kind: "doc", name: props.head.filename } })}>Show the raw file</a>
          </div>
        </div>
      </header>
      <Show when={problem()}>
        {(message) => (
          <p class="problem column" role="alert">
            {message()}
          </p>
        )}
      </Show>
      <Show when={props.dialog.lost()}>
        <p class="problem column">The engine does not answer just now. What you see is kept; trying again…</p>
      </Show>
      <Show when={!nothingYet()} fallback={<p class="empty">Nothing said yet. Write below what this agent should do.</p>}>
        <MessageList dialog={props.dialog} live={active()} />
      </Show>
      {/* Seen in the message that failed; said here. */}
      <Show when={props.head.failure}>
        {(failure) => (
          <p class="unseen" role="alert">
            <Visible text={failure().message} />
          </p>
        )}
      </Show>
      <Show when={resumable()}>
        <div class="column resume">
          <button type="button" class="primary" onClick={() => void resume()}>
            {last()?.stop === "interrupted" ? "Resume" : "Continue"}
          </button>
          <span>sends “{goOn}”</span>
        </div>
      </Show>
      <Show when={props.head.authorized.length > 0}>
        <ul class="column allowed" aria-label="Allowed without asking">
          <li aria-hidden="true">Allowed without asking:</li>
          <For each={props.head.authorized}>
            {(tool) => (
              <li>
                <span>
                  <Visible text={plural(tool)} />
                </span>
                <button type="button" class="quiet small" disabled={active()} onClick={() => void revoke(tool)}>
                  Ask again
                </button>
              </li>
            )}
          </For>
        </ul>
      </Show>
      <CallPanel dialogId={props.head.dialogId} calls={asked()} onSending={setDeciding} />
      <Composer
        dialog={props.dialog}
        head={props.head}
        reason={reason()}
        left={left()}
        drafts={props.drafts}
        notices={props.notices}
        takesFocus={() => props.takesFocus(props.head.dialogId)}
      />
    </div>
  );
}
