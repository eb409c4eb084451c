import { For, Show } from "solid-js";
import type { WaitingFor } from "../../protocol/index.ts";
import { Visible } from "../calls/Visible.tsx";
import { money, moneyExact } from "../cost/money.ts";
import { slugOf } from "../docs/names.ts";
import { CommandButton } from "../ui/CommandButton.tsx";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/dialogs.ts";
import type { Part } from "../texts/part.ts";
import { Parts } from "../texts/Parts.tsx";
import type { DialogCommands } from "./dialog-commands.ts";
import { doing } from "./groups.ts";
import { type AtWork, belowWords, isIdle } from "./launched.ts";
import type { Head } from "./running.ts";

export interface DialogHeadProps {
  readonly head: Head;
  /** Whether a command waits for the user. */
  readonly asks: boolean;
  readonly waitingFor: WaitingFor;
  /** The tool that the agent asks for, if it asks for only one. */
  readonly wants: string | null;
  /** What the agents that this dialog launched are doing; undefined if none is active. */
  readonly below: AtWork | undefined;
  readonly commands: DialogCommands;
}

const menuId = "dialog-more";

/** Which dialog this is, what it is doing, and what can be done with it as a whole. */
export function DialogHead(props: DialogHeadProps) {
  /** A stopped dialog waits for no one. */
  const look = () =>
    props.asks ? "waiting" : props.head.status === "waiting" && props.waitingFor === "stopped" ? "stopped" : props.head.status;
  /** If the dialog itself waits for no decision, shows what its agents are still doing. */
  const state = () =>
    (isIdle(props.head.status, props.waitingFor) && props.head.activity === null ? belowWords(props.below) : null) ??
    doing(props.head.status, props.head.activity, props.waitingFor, props.wants);
  return (
    <header class="dialog-head">
      <h2 title={props.head.filename}>
        <Visible text={slugOf(props.head.dialogId)} />
      </h2>
      <p class={`doing doing-${look()}`}>
        {state()}
        <Show when={props.head.cost}>{(cost) => <span title={t.costSoFar(moneyExact(cost()))}> · {money(cost())}</span>}</Show>
        <Show when={props.head.room !== null && props.head.forkedFrom?.side !== true}> · {t.room}</Show>
        <Show when={props.head.agent}>{(agent) => <AgentFile slug={agent().slug} />}</Show>
        <Origin words={t.answersIn} dialogId={props.head.repliesTo?.dialogId ?? null} />
        <Origin words={t.launchedBy} dialogId={props.head.launchedBy} />
        <Origin words={t.continuedFrom} dialogId={props.head.continuedFrom} />
        <Origin words={props.head.forkedFrom?.side === true ? t.sideOf : t.forkedFrom} dialogId={props.head.forkedFrom?.dialogId ?? null} />
      </p>
      <div class="dialog-actions">
        <CommandButton of={props.commands.stop} class="stop-button" />
        <CommandButton of={props.commands.done} class="quiet" />
        <button type="button" class="quiet" popovertarget={menuId}>
          {t.more}
        </button>
        <div id={menuId} popover="auto" class="menu">
          <For each={props.commands.menu}>{(command) => <CommandButton of={command} menu={menuId} />}</For>
        </div>
      </div>
    </header>
  );
}

/** The file that defined the agent when the dialog began. */
function AgentFile(props: { slug: string }) {
  return (
    <>
      {" · "}
      <Parts
        of={t.withAgent}
        slots={{
          agent: () => <a href={formatRoute({ tab: "docs", file: { kind: "doc", name: `agent-${props.slug}.md` } })}>{props.slug}</a>,
        }}
      />
    </>
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
