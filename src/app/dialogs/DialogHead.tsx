import { Show } from "solid-js";
import type { WaitingFor } from "../../engine/api.ts";
import { Visible } from "../calls/Visible.tsx";
import { money, moneyExact } from "../cost/money.ts";
import { slugOf } from "../docs/names.ts";
import { onMac, shownKeys } from "../shell/commands.ts";
import { formatRoute } from "../shell/route.ts";
import { doing } from "./groups.ts";
import type { Head } from "./open-dialog.ts";

export interface DialogHeadProps {
  readonly head: Head;
  /** An agent works here, or waits for its turn. */
  readonly active: boolean;
  /** A command waits for the person. */
  readonly asks: boolean;
  readonly waitingFor: WaitingFor;
  /** The tool that it asks for, when that is one alone. */
  readonly wants: string | null;
  readonly canContinue: boolean;
  readonly stop: () => void;
  readonly done: () => void;
  readonly copy: () => void;
  readonly details: () => void;
  readonly continueFresh: () => void;
  readonly find: () => void;
}

/** Which dialog it is, what it does, and what can be done with the whole of it. */
export function DialogHead(props: DialogHeadProps) {
  return (
    <header class="dialog-head">
      <h2 title={props.head.filename}>
        <Visible text={slugOf(props.head.dialogId)} />
      </h2>
      <p class={`doing doing-${props.asks ? "waiting" : props.head.status}`}>
        {doing(props.head.status, props.head.activity, props.waitingFor, props.wants)}
        <Show when={props.head.cost}>
          {(cost) => <span title={`${moneyExact(cost())} in this dialog so far`}> · {money(cost())}</span>}
        </Show>
        <Origin words="launched by" dialogId={props.head.launchedBy} />
        <Origin words="continued from" dialogId={props.head.continuedFrom} />
        <Origin words="forked from" dialogId={props.head.forkedFrom?.dialogId ?? null} />
      </p>
      <div class="dialog-actions">
        <Show when={props.active}>
          <button type="button" class="stop-button" onClick={() => props.stop()}>
            Stop
          </button>
        </Show>
        <Show when={props.head.status !== "done"}>
          <button type="button" class="quiet" onClick={() => props.done()}>
            Mark done
          </button>
        </Show>
        <button type="button" class="quiet" popovertarget="dialog-more">
          More
        </button>
        <div id="dialog-more" popover="auto" class="menu">
          <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.find()}>
            Find in this dialog <kbd>{shownKeys("Mod+KeyF", onMac())}</kbd>
          </button>
          <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.copy()}>
            Copy as markdown
          </button>
          <a href={formatRoute({ tab: "dialogs", dialogId: props.head.dialogId, text: "whole" })}>Open as text</a>
          <a href={formatRoute({ tab: "docs", file: { kind: "doc", name: props.head.filename } })}>Edit the file</a>
          <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.details()}>
            What it may do
          </button>
          <Show when={props.canContinue}>
            <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.continueFresh()}>
              Continue in a fresh dialog
            </button>
          </Show>
        </div>
      </div>
    </header>
  );
}

/** The dialog that this one comes from. */
function Origin(props: { words: string; dialogId: string | null }) {
  return (
    <Show when={props.dialogId}>
      {(from) => (
        <>
          {` · ${props.words} `}
          <a href={formatRoute({ tab: "dialogs", dialogId: from() })}>
            <Visible text={slugOf(from())} />
          </a>
        </>
      )}
    </Show>
  );
}
