import { createMemo, createSignal, onCleanup, onMount, Show, Suspense } from "solid-js";
import type { EngineEvents } from "../model/api/events.ts";
import { CallPanel } from "../calls/CallPanel.tsx";
import { NetworkPanel } from "../calls/NetworkPanel.tsx";
import { visible } from "../calls/visible.ts";
import { Visible } from "../calls/Visible.tsx";
import { CostStop } from "../cost/CostStop.tsx";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { matches, onMac } from "../ui/commands.ts";
import { keyed } from "../providers/names.ts";
import type { Notices } from "../ui/notices.ts";
import { Problem } from "../ui/Problem.tsx";
import * as t from "../texts/dialogs.ts";
import { announceChanges } from "./announce.ts";
import { Background } from "./Background.tsx";
import { Composer } from "./Composer.tsx";
import { createDialogCommands } from "./dialog-commands.ts";
import { createDialogActions } from "./dialog-actions.ts";
import { createDialogState, isUser } from "./dialog-state.ts";
import { DialogHead } from "./DialogHead.tsx";
import type { Outbox } from "./drafts.ts";
import { FreshDialog } from "./FreshDialog.tsx";
import type { DialogList } from "./list.ts";
import type { AtWork } from "./launched.ts";
import { LeaveLines } from "./Leave.tsx";
import { LongerLimit } from "./LongerLimit.tsx";
import { createMessageActions } from "./message-actions.ts";
import { MessageList } from "./MessageList.tsx";
import type { OpenDialog } from "./open-dialog.ts";
import { pendingReplies } from "./pending-replies.ts";
import type { Head } from "./running.ts";
import type { ProviderRegistry } from "./provider-choice.ts";
import { QueuedStrip, ResumeStrip, RetryStrip } from "./Strips.tsx";
import { createTurnChanges } from "./turn-changes.ts";
import { whileShown } from "./while-shown.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { onChange } from "../ui/on-change.ts";

const DemoEnd = lazyPart(() => import("./DemoEnd.tsx"));
const RecordEnd = lazyPart(() => import("./RecordEnd.tsx"));
const DialogDetails = lazyPart(() => import("./DialogDetails.tsx"));
const SideDialog = lazyPart(() => import("./SideDialog.tsx"));
const SideStrip = lazyPart(() => import("./SideStrip.tsx"));

export interface DialogPaneProps {
  readonly dialog: OpenDialog;
  readonly events: EngineEvents;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly notices: Notices;
  readonly providers: ProviderRegistry;
  /** What the agents that this dialog launched are doing; undefined if none is active. */
  readonly below: AtWork | undefined;
  readonly takesFocus: (dialogId: string) => boolean;
  /** Opens the guide. */
  readonly guide: () => void;
  readonly list: Pick<DialogList, "dialogs" | "waitingInOrder">;
  /** Shows another dialog, in which the user continues. */
  readonly go: (dialogId: string) => void;
}

export function DialogPane(props: DialogPaneProps) {
  return (
    <Show when={props.dialog.head()} fallback={<p class="empty">{props.dialog.lost() ? t.engineSilent : ""}</p>}>
      {(head) => <Pane {...props} head={head()} />}
    </Show>
  );
}

function Pane(props: DialogPaneProps & { readonly head: Head }) {
  const [problem, setProblem] = createSignal<string | null>(null);
  const [deciding, setDeciding] = createSignal(false);
  const [pane, setPane] = createSignal<HTMLElement>();
  const [details, setDetails] = createSignal(false);
  const [finding, setFinding] = createSignal(false);

  // The dialog, the events, the drafts, the notices and the navigation live as long as the page.
  /* oxlint-disable solid/reactivity */
  const state = createDialogState(props.dialog, () => props.head, deciding);
  announceChanges(() => props.head, state, props.dialog.exchanges, props.notices);
  const changes = createTurnChanges(state.turn, props.events);
  const replies = createMemo(() => pendingReplies(props.dialog.exchanges(), props.list.dialogs(), props.head.dialogId));
  const sides = createMemo(() =>
    props.list
      .dialogs()
      .filter(({ side }) => side?.dialogId === props.head.dialogId)
      .toSorted((a, b) => (a.dialogId < b.dialogId ? -1 : 1)),
  );
  // Each dialog has a pane of its own.
  const ended = whileShown({
    dialogId: props.head.dialogId,
    notices: props.notices,
    failed: setProblem,
    go: (dialogId) => props.go(dialogId),
  });
  const deps = {
    ...ended,
    dialog: props.dialog,
    head: () => props.head,
    notices: props.notices,
    ready: (provider: string) => props.providers.ready(provider),
  };
  const actions = createMessageActions({ ...deps, drafts: props.drafts });
  const whole = createDialogActions({ ...deps, active: state.active, stopped: focusText });
  const commands = createDialogCommands({
    head: () => props.head,
    state,
    actions: whole,
    details: () => setDetails(true),
    find: () => setFinding(true),
  });
  /* oxlint-enable solid/reactivity */

  onChange(
    () => props.head.dialogId,
    () => {
      setProblem(null);
      actions.edit(null);
      actions.discuss(null);
      setFinding(false);
    },
    { defer: true },
  );

  /** The dialog's provider if it has settings. The demo has none. */
  const ownProvider = () => keyed.find((name) => name === props.head.provider);
  function openSettings() {
    const own = ownProvider();
    if (own !== undefined) props.providers.settings(own);
  }
  /** Moves the focus to the message box if the focused element was removed. */
  function focusText() {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) pane()?.querySelector<HTMLElement>("textarea:enabled")?.focus();
    });
  }
  /** In a record, focuses the message list. Its message box is always enabled; with the focus there, the next request couldn't take the focus. */
  function leavePanel() {
    if (props.head.outside === null) focusText();
    else focusList();
  }
  function focusList() {
    pane()?.querySelector<HTMLElement>(".message-list")?.focus();
  }
  /** Opens the user's last message for editing, unless it is being answered. */
  function editLast(): boolean {
    const at = props.dialog.slots().findLastIndex(isUser);
    if (at < 0 || state.active() || props.head.readOnlyReason !== null) return false;
    actions.edit(at);
    return true;
  }
  function endFind() {
    setFinding(false);
    focusList();
  }
  /** The browser's own search finds only what is in the page. Pressing the keys a second time opens the browser's search. */
  function onKey(event: KeyboardEvent) {
    if (!matches("Mod+KeyF", event, onMac()) || finding() || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    setFinding(true);
  }
  onMount(() => addEventListener("keydown", onKey));
  onCleanup(() => removeEventListener("keydown", onKey));

  return (
    <div ref={setPane} class="dialog-pane">
      <DialogHead
        head={props.head}
        asks={state.networkAsk() !== null}
        waitingFor={state.waitingFor()}
        wants={state.wants()}
        below={props.below}
        commands={commands}
      />
      <Problem text={problem()} column />
      <Show when={props.dialog.lost()}>
        <p class="problem column">{t.engineSilentNow}</p>
      </Show>
      <Show when={!state.nothingYet()} fallback={<p class="empty">{props.head.room === null ? t.nothingSaid : t.nothingSaidInRoom}</p>}>
        <MessageList
          dialog={props.dialog}
          live={state.active() && state.queued() === null}
          changes={changes()}
          replies={replies()}
          sides={(index) => sides().filter(({ side }) => side?.message === index + 1)}
          actions={actions}
          finding={finding()}
          endFind={endFind}
        />
      </Show>
      {/* The failure is visible in its message; here it is announced. */}
      <Show when={props.head.failure}>
        {(failure) => (
          <p class="unseen" role="alert">
            <Visible text={failure().message} />
          </p>
        )}
      </Show>
      <Show when={state.queued()}>{(place) => <QueuedStrip place={place()} />}</Show>
      <Show when={state.retry()}>{(now) => <RetryStrip retry={now()} stop={commands.stopTrying} />}</Show>
      <Show when={state.full()}>
        <FreshDialog context={props.head.context} busy={whole.continuing()} begin={() => void whole.continueFresh()} />
      </Show>
      <Show when={state.costStop()}>{(stopped) => <CostStop stop={stopped()} onContinue={(limits) => void whole.resume(limits)} />}</Show>
      <Show when={state.summaryFor()}>
        {(to) => (
          <div class="column resume">
            <button type="button" class="primary" onClick={() => void whole.sendSummary(to())}>
              {t.sendSummary(visible(slugOf(to())))}
            </button>
            <span>{t.summaryHint}</span>
          </div>
        )}
      </Show>
      <Suspense>
        <Show when={props.head.forkedFrom?.side === true}>
          <SideStrip
            head={props.head}
            messages={props.dialog.exchanges()}
            last={props.dialog.slots().at(-1)?.message()}
            replies={replies()}
            resolve={() => void whole.resolve()}
            discard={whole.done}
          />
        </Show>
      </Suspense>
      <Show when={state.resumable()}>
        <ResumeStrip
          resume={commands.resume}
          failed={state.broken() === "failed"}
          settings={ownProvider() === undefined ? null : openSettings}
        />
      </Show>
      <Suspense>
        <Show when={props.head.provider === "demo" && props.head.status === "done"}>
          <DemoEnd list={props.list} addKey={() => props.providers.settings("claude")} guide={() => props.guide()} />
        </Show>
      </Suspense>
      <LongerLimit head={props.head} turn={state.lastTurn()} choose={(seconds) => void whole.put({ limits: { command: seconds } })} />
      <Background commands={props.head.background} stop={(id) => void whole.put({ stopBackground: id })} />
      <LeaveLines head={props.head} active={state.active()} put={(body) => whole.put(body)} details={() => setDetails(true)} />
      <Show when={state.networkAsk()}>
        {(asking) => <NetworkPanel dialogId={props.head.dialogId} callId={asking().callId} ask={asking().ask} leave={focusText} />}
      </Show>
      <CallPanel
        dialogId={props.head.dialogId}
        calls={state.asked()}
        cut={state.cut()}
        reasons={props.dialog.reasons()}
        providerKey={{
          provider: props.head.provider,
          changes: () => props.providers.changes(),
          ready: () => props.providers.ready(props.head.provider),
          settings: openSettings,
        }}
        outside={props.head.outside?.framework ?? null}
        onSending={setDeciding}
        leave={leavePanel}
        failed={ended.failed}
      />
      <Show when={props.head.outside !== null}>
        <Suspense>
          <RecordEnd
            head={props.head}
            messages={props.dialog.slots().length}
            drafts={props.drafts}
            notices={props.notices}
            asked={state.asked().length > 0}
            go={ended.go}
          />
        </Suspense>
      </Show>
      <Show when={props.head.outside === null}>
        <Composer
          dialog={props.dialog}
          head={props.head}
          reason={state.reason()}
          left={state.left()}
          drafts={props.drafts}
          outbox={props.outbox}
          notices={props.notices}
          providers={props.providers}
          takesFocus={() => props.takesFocus(props.head.dialogId)}
          editLast={editLast}
        />
      </Show>
      <Suspense>
        <Show when={actions.discussing() !== null}>
          <SideDialog dialogId={props.head.dialogId} index={actions.discussing() ?? 0} go={ended.go} close={() => actions.discuss(null)} />
        </Show>
        <Show when={details()}>
          <DialogDetails head={props.head} active={state.active()} close={() => setDetails(false)} />
        </Show>
      </Suspense>
    </div>
  );
}
