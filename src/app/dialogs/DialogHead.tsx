import { Show } from "solid-js";
import type { WaitingFor } from "../../engine/api.ts";
import { Visible } from "../calls/Visible.tsx";
import { money, moneyExact } from "../cost/money.ts";
import { slugOf } from "../docs/names.ts";
import { onMac, shownKeys } from "../shell/commands.ts";
import { formatRoute } from "../shell/route.ts";
import * as t from "../texts/dialogs.ts";
import type { Part } from "../texts/part.ts";
import { Parts } from "../texts/Parts.tsx";
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
        <Show when={props.head.cost}>{(cost) => <span title={t.costSoFar(moneyExact(cost()))}> · {money(cost())}</span>}</Show>
        <Origin words={t.launchedBy} dialogId={props.head.launchedBy} />
        <Origin words={t.continuedFrom} dialogId={props.head.continuedFrom} />
        <Origin words={t.forkedFrom} dialogId={props.head.forkedFrom?.dialogId ?? null} />
      </p>
      <div class="dialog-actions">
        <Show when={props.active}>
          <button type="button" class="stop-button" onClick={() => props.stop()}>
            {t.stop}
          </button>
        </Show>
        <Show when={props.head.status !== "done"}>
          <button type="button" class="quiet" onClick={() => props.done()}>
            {t.markDone}
          </button>
        </Show>
        <button type="button" class="quiet" popovertarget="dialog-more">
          {t.more}
        </button>
        <div id="dialog-more" popover="auto" class="menu">
          <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.find()}>
            {t.find} <kbd>{shownKeys("Mod+KeyF", onMac())}</kbd>
          </button>
          <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.copy()}>
            {t.copyMarkdown}
          </button>
          <a href={formatRoute({ tab: "dialogs", dialogId: props.head.dialogId, text: "whole" })}>{t.openAsText}</a>
          <a href={formatRoute({ tab: "docs", file: { kind: "doc", name: props.head.filename } })}>{t.editFile}</a>
          <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.details()}>
            {t.mayDo}
          </button>
          <Show when={props.canContinue}>
            <button type="button" popovertarget="dialog-more" popovertargetaction="hide" onClick={() => props.continueFresh()}>
              {t.continueFresh}
            </button>
          </Show>
        </div>
      </div>
    </header>
  );
}

/** The dialog that this one comes from. */
function Origin(props: { words: readonly Part<"dialog">[]; dialogId: string | null }) {
  return (
    <Show when={props.dialogId}>
      {(from) => (
        <>
          {" · "}
          <Parts
            of={props.words}
            slots={{
              dialog: () => (
                <a href={formatRoute({ tab: "dialogs", dialogId: from() })}>
                  <Visible text={slugOf(from())} />
                </a>
              ),
            }}
          />
        </>
      )}
    </Show>
  );
}
