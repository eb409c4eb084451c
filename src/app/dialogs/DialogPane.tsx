import { createEffect, createMemo, createSignal, lazy, on, onCleanup, onMount, Show, Suspense } from "solid-js";
import type { PutDialogBody } from "../../engine/api.ts";
import { continueDialog, setStatus } from "../api/calls.ts";
import type { EngineEvents } from "../api/events.ts";
import { opened } from "../api/opened.ts";
import { send } from "../api/send.ts";
import { CallPanel } from "../calls/CallPanel.tsx";
import { NetworkPanel } from "../calls/NetworkPanel.tsx";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import { CostStop } from "../cost/CostStop.tsx";
import { readCostStop } from "../cost/money.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { matches, onMac } from "../shell/commands.ts";
import type { Notices } from "../shell/notices.ts";
import { Background } from "./Background.tsx";
import { Composer, type ProviderDesk } from "./Composer.tsx";
import type { Outbox } from "./drafts.ts";
import { doing } from "./groups.ts";
import { LeaveLines } from "./Leave.tsx";
import { LongerLimit } from "./LongerLimit.tsx";
import { MessageList } from "./MessageList.tsx";
import type { Head, OpenDialog, Slot } from "./open-dialog.ts";
import { copyMarkdown } from "./copy.ts";
import { DialogHead } from "./DialogHead.tsx";
import { createMessageActions } from "./message-actions.ts";
import { FreshDialog } from "./FreshDialog.tsx";
import { goOn } from "./resume.ts";
import { QueuedStrip, ResumeStrip, RetryStrip } from "./Strips.tsx";
import { createTurnChanges, type Turn } from "./turn-changes.ts";
import { waitsFor, wantsOf } from "./waits.ts";

const DialogDetails = lazy(() => import("./DialogDetails.tsx"));

export interface DialogPaneProps {
  readonly dialog: OpenDialog;
  readonly events: EngineEvents;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly notices: Notices;
  readonly providers: ProviderDesk;
  readonly takesFocus: (dialogId: string) => boolean;
  /** Shows another dialog, in which the person goes on. */
  readonly go: (dialogId: string) => void;
}

export function DialogPane(props: DialogPaneProps) {
  return (
    <Show
      when={props.dialog.head()}
      fallback={<p class="empty">{props.dialog.lost() ? "The engine does not answer. Trying again…" : ""}</p>}
    >
      {(head) => <Pane {...props} head={head()} />}
    </Show>
  );
}

function Pane(props: DialogPaneProps & { readonly head: Head }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [deciding, setDeciding] = createSignal(false);
  const queued = createMemo(() => (props.head.activity?.kind === "queued" ? props.head.activity : null));
  const retry = createMemo(() => (props.head.activity?.kind === "retrying" ? props.head.activity : null));
  const active = () => props.head.status === "active" || queued() !== null;
  /** What the command that runs wants to reach, and waits for. */
  const networkAsk = createMemo(() => {
    const { activity } = props.head;
    return activity?.kind === "running" && activity.ask !== null ? { callId: activity.callId, ask: activity.ask } : null;
  });
  const last = () => props.dialog.slots().at(-1)?.message();
  /** Only a dialog that waits asks for decisions; what a done one left open is not decided. */
  const asked = createMemo(() => (props.head.status === "waiting" ? props.dialog.pending() : []));
  const left = createMemo(() => (props.head.status === "done" ? props.dialog.pending() : []));
  const [pane, setPane] = createSignal<HTMLElement>();
  const [continuing, setContinuing] = createSignal(false);
  const [details, setDetails] = createSignal(false);
  let stopping = false;
  let alive = true;
  onCleanup(() => {
    alive = false;
  });
  const nothingYet = () => props.dialog.slots().length === 0 && props.dialog.sent() === null;

  const reason = createMemo(() => {
    if (props.head.readOnlyReason !== null) return props.head.readOnlyReason;
    if (asked().length > 0) return deciding() ? "Your decision is on its way." : "Decide above what the agent may do; then you can write.";
    if (queued() !== null) return "The agent waits for its turn. You can stop it, or write when its turn has ended.";
    if (networkAsk() !== null) return "A command waits for your word above. You can stop it, or write when the turn ends.";
    if (active()) return "The agent is at work. You can stop it, or write when its turn ends.";
    return null;
  });
  /** The turn did not come to its own end, so one click lets the agent go on. */
  const resumable = () =>
    props.head.status === "waiting" &&
    reason() === null &&
    props.dialog.sent() === null &&
    costStop() === null &&
    (props.head.failure !== null || last()?.stop != null || last()?.role === "user" || endsWithCalls());
  /** What the project may cost holds the agent back. */
  const costStop = createMemo(() =>
    props.head.status === "waiting" && reason() === null && props.dialog.sent() === null ? readCostStop(last()?.stop ?? null) : null,
  );
  /** Calls that the agent has not answered to: denied, or stopped with the turn. */
  const endsWithCalls = () => last()?.parts.some((part) => part.kind === "call") ?? false;

  const waitingFor = () => waitsFor(asked(), last());
  const wants = () => wantsOf(asked());
  /** Nothing more fits into the model's window, or soon nothing will. */
  const full = () => !active() && (props.head.context?.nearlyFull === true || last()?.stop === "context_window");
  const canContinue = () => !active() && props.dialog.slots().length > 0 && props.head.readOnlyReason === null;

  const lastSaid = () => {
    const said = props.dialog.slots().findLast(isUser);
    return said?.message().start ?? null;
  };
  const lastTurn = () => {
    const slots = props.dialog.slots();
    return slots.slice(slots.findLastIndex(isUser) + 1).map((slot) => slot.message());
  };
  const turn = createMemo((): Turn | null => {
    const since = active() ? null : lastSaid();
    return since === null ? null : { dialogId: props.head.dialogId, since };
  });
  // The events live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const changes = createTurnChanges(turn, props.events);

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
      else if (status !== before[0])
        props.notices.announce(`${slugOf(props.head.dialogId)} ${doing(status, null, waitingFor(), wants())}.`);
    }),
  );

  createEffect(
    on(
      () => networkAsk()?.ask.host,
      (host) => host !== undefined && props.notices.announce(`A command wants to reach ${visible(host)}.`),
    ),
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

  // The drafts, the notices and the way to another dialog live as long as the page.
  /* oxlint-disable solid/reactivity */
  const actions = createMessageActions({
    dialog: props.dialog,
    head: () => props.head,
    drafts: props.drafts,
    notices: props.notices,
    ready: (provider) => props.providers.ready(provider),
    go: (dialogId) => props.go(dialogId),
    failed: setProblem,
  });
  /* oxlint-enable solid/reactivity */
  /** The last message of the person's, unless it is being answered. */
  function editLast(): boolean {
    const at = props.dialog.slots().findLastIndex(isUser);
    if (at < 0 || active() || props.head.readOnlyReason !== null) return false;
    actions.edit(at);
    return true;
  }
  const [finding, setFinding] = createSignal(false);
  createEffect(
    on(
      () => props.head.dialogId,
      () => {
        actions.edit(null);
        setFinding(false);
      },
      { defer: true },
    ),
  );
  function endFind() {
    setFinding(false);
    pane()?.querySelector<HTMLElement>(".message-list")?.focus();
  }
  /** The page's own search sees only what is in the page. A second press is the browser's. */
  function onKey(event: KeyboardEvent) {
    if (!matches("Mod+KeyF", event, onMac()) || finding() || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    setFinding(true);
  }
  onMount(() => addEventListener("keydown", onKey));
  onCleanup(() => removeEventListener("keydown", onKey));

  function stop() {
    stopping = true;
    void change("waiting");
  }
  /** The provider failed and would be asked again; the person has waited enough. */
  async function stopTrying() {
    stopping = true;
    await change("waiting");
    if (stopping) props.notices.announce("Stopped trying. What was written is kept.");
  }
  async function continueFresh() {
    setContinuing(true);
    const dialog = await opened(await continueDialog(props.head.dialogId));
    setContinuing(false);
    if (dialog.ok) props.go(dialog.dialogId);
    else setProblem(`The fresh dialog could not be begun: ${dialog.message} This one stays as it is.`);
  }
  async function change(status: "waiting" | "done") {
    const answer = await setStatus(props.head.dialogId, status);
    if (!answer.ok) stopping = false;
    setProblem(answer.ok ? null : answer.message);
  }
  let resuming = false;
  async function resume(limits?: PutDialogBody["limits"]) {
    const { dialogId } = props.head;
    // A second click, or another dialog by the time the key is unlocked, is none to this.
    if (resuming) return;
    resuming = true;
    const ready = await props.providers.ready(props.head.provider);
    resuming = false;
    if (!ready || !alive || props.head.dialogId !== dialogId) return;
    setProblem(await props.dialog.say({ dialogId, prompt: goOn, ...(limits === undefined ? {} : { limits }) }));
  }
  async function put(body: Omit<PutDialogBody, "dialogId">) {
    setProblem(await send({ ...body, dialogId: props.head.dialogId }));
  }
  async function copy() {
    const failed = await copyMarkdown(props.head.dialogId, props.notices);
    if (failed !== null) setProblem(failed);
  }

  return (
    <div ref={setPane} class="dialog-pane">
      <DialogHead
        head={props.head}
        active={active()}
        asks={networkAsk() !== null}
        waitingFor={waitingFor()}
        wants={wants()}
        canContinue={canContinue() && !continuing()}
        stop={stop}
        done={() => void change("done")}
        copy={() => void copy()}
        details={() => setDetails(true)}
        find={() => setFinding(true)}
        continueFresh={() => void continueFresh()}
      />
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
        <MessageList
          dialog={props.dialog}
          live={active() && queued() === null}
          changes={changes()}
          actions={actions}
          finding={finding()}
          endFind={endFind}
        />
      </Show>
      {/* Seen in the message that failed; said here. */}
      <Show when={props.head.failure}>
        {(failure) => (
          <p class="unseen" role="alert">
            <Visible text={failure().message} />
          </p>
        )}
      </Show>
      <Show when={queued()}>{(place) => <QueuedStrip place={place()} />}</Show>
      <Show when={retry()}>{(now) => <RetryStrip retry={now()} stop={() => void stopTrying()} />}</Show>
      <Show when={full()}>
        <FreshDialog context={props.head.context} busy={continuing()} begin={() => void continueFresh()} />
      </Show>
      <Show when={costStop()}>{(stopped) => <CostStop stop={stopped()} goOn={(limits) => void resume(limits)} />}</Show>
      <Show when={resumable()}>
        <ResumeStrip
          why={last()?.stop === "interrupted" ? "interrupted" : props.head.failure === null ? "other" : "failed"}
          resume={() => void resume()}
        />
      </Show>
      <LongerLimit head={props.head} turn={active() ? [] : lastTurn()} choose={(seconds) => void put({ limits: { command: seconds } })} />
      <Background commands={props.head.background} stop={(id) => void put({ stopBackground: id })} />
      <LeaveLines head={props.head} active={active()} put={(body) => void put(body)} details={() => setDetails(true)} />
      <Show when={networkAsk()}>
        {(asking) => <NetworkPanel dialogId={props.head.dialogId} callId={asking().callId} ask={asking().ask} />}
      </Show>
      <CallPanel
        dialogId={props.head.dialogId}
        calls={asked()}
        providerKey={{
          provider: props.head.provider,
          changes: () => props.providers.changes(),
          ready: () => props.providers.ready(props.head.provider),
        }}
        onSending={setDeciding}
      />
      <Composer
        dialog={props.dialog}
        head={props.head}
        reason={reason()}
        left={left()}
        drafts={props.drafts}
        outbox={props.outbox}
        notices={props.notices}
        providers={props.providers}
        takesFocus={() => props.takesFocus(props.head.dialogId)}
        editLast={editLast}
      />
      <Suspense>
        <Show when={details()}>
          <DialogDetails head={props.head} active={active()} close={() => setDetails(false)} />
        </Show>
      </Suspense>
    </div>
  );
}

const isUser = (slot: Slot) => slot.message().role === "user";
