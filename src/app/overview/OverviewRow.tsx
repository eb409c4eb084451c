/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that are not all in the page, and cards on a phone, are no table */
import { createMemo, createSignal, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import type { DialogListing } from "../../protocol/index.ts";
import { startled } from "../calls/startled.ts";
import { visible } from "../calls/visible.ts";
import { money } from "../cost/money.ts";
import { belowWords, type AtWork } from "../dialogs/launched.ts";
import { isAsked, groupOf } from "../dialogs/dialog-group.ts";
import { doingNow, originOf } from "../dialogs/rows.ts";
import { slugOf } from "../docs/names.ts";
import { formatRoute } from "../model/route.ts";
import { Problem } from "../ui/Problem.tsx";
import { when } from "../ui/format.ts";
import { stopWords } from "../dialogs/frames.ts";
import * as decisions from "../texts/decisions.ts";
import * as list from "../texts/dialog-list.ts";
import * as t from "../texts/overview.ts";
import { AskedInRow, type Sight } from "./AskedInRow.tsx";
import { type Asks, mayAsk } from "./asks.ts";
import { compact } from "./compact.ts";
import { shapeOf, shapes, stateWords } from "./states.ts";
import type { Steady } from "./steady.ts";
import type { Branch } from "./tree.ts";
import { onChange } from "../ui/on-change.ts";

/** The actions of the row's keys and buttons. */
export interface RowActions {
  readonly approve: () => void;
  readonly deny: () => void;
}

export interface OverviewRowProps {
  /** Undefined for a moment while the dialog is being removed. */
  readonly branch: Branch | undefined;
  readonly index: number;
  readonly one: DialogListing;
  readonly below: AtWork | undefined;
  readonly asks: Asks;
  readonly folded: boolean | null;
  readonly flat: boolean;
  readonly current: boolean;
  readonly scroller: HTMLElement | undefined;
  readonly steady: Steady;
  readonly now: number;
  readonly toggle: () => void;
  readonly enter: () => void;
  readonly stop: () => void;
  readonly onContinue: () => void;
  readonly remove: () => void;
  readonly announce: (text: string) => void;
  /** Registers the actions of the keys in this row, for as long as the row exists. */
  readonly came: (actions: RowActions) => void;
  readonly went: (actions: RowActions) => void;
}

export function OverviewRow(props: OverviewRowProps) {
  const [row, setRow] = createSignal<HTMLElement>();
  const [sight, setSight] = createSignal<Sight>("loading");
  const slug = () => visible(slugOf(props.one.dialogId));
  const place = () => groupOf(props.one);
  const shape = () => shapeOf(props.one);
  const href = () => formatRoute({ tab: "dialogs", dialogId: props.one.dialogId });
  const asked = () => (mayAsk(props.one) ? props.asks.decisions.open() : []);
  const level = () => (props.flat ? 1 : (props.branch?.level ?? 1));
  const isWhole = () => asked().length > 0 && props.asks.whole();

  onChange(
    () => (mayAsk(props.one) ? props.one : null),
    (one) => (one === null ? props.asks.forget() : void props.asks.refresh()),
  );
  onChange([sight, asked], ([now, calls]) => {
    if (now !== "whole") return;
    for (const call of calls) props.asks.decisions.markRead(call);
  });

  function approve() {
    if (!isWhole()) return;
    if (sight() !== "whole") {
      row()?.scrollIntoView({ block: "nearest" });
      return;
    }
    // The row may have asked for something else when the user aimed.
    if (props.asks.age() < startled) {
      props.announce(t.moved);
      return;
    }
    row()?.focus({ preventScroll: true });
    props.asks.decisions.approveRest();
    props.announce(t.approved(slug()));
  }
  function deny() {
    if (asked().length > 0 && props.asks.reason() === null) props.asks.setReason("");
  }
  function denyNow() {
    const why = props.asks.reason() ?? "";
    row()?.focus({ preventScroll: true });
    void props.asks.deny(why);
    props.announce(t.denied(slug()));
  }
  function keep() {
    props.asks.setReason(null);
    row()?.focus({ preventScroll: true });
  }
  onMount(() => {
    const actions: RowActions = { approve, deny };
    props.came(actions);
    onCleanup(() => props.went(actions));
  });

  return (
    <div
      ref={setRow}
      role="row"
      class={`br is-${shape()}`}
      classList={{ current: props.current }}
      style={{ "--level": Math.min(level() - 1, 6) }}
      data-id={props.one.dialogId}
      aria-rowindex={props.index + 2}
      aria-level={level()}
      aria-posinset={props.flat ? undefined : props.branch?.nth}
      aria-setsize={props.flat ? undefined : props.branch?.of}
      aria-expanded={props.folded === null ? undefined : !props.folded}
      tabindex={props.current ? 0 : -1}
      onFocusIn={() => props.enter()}
    >
      <span role="gridcell" class="br-name">
        <Show when={props.folded !== null}>
          <button
            type="button"
            class="fold"
            tabindex={-1}
            aria-label={props.folded ? t.unfold(slug()) : t.fold(slug())}
            onClick={() => props.toggle()}
          >
            {props.folded ? "▸" : "▾"}
          </button>
        </Show>
        <a href={href()} title={visible(props.one.filename)} tabindex={props.current ? 0 : -1}>
          {slug()}
        </a>
      </span>
      <span role="gridcell" class="br-state">
        <svg viewBox="0 0 12 12" aria-hidden="true">
          <path d={shapes[shape()].path} class={shapes[shape()].filled ? "filled" : "line"} />
        </svg>
        {stateWords[shape()]}
      </span>
      <div role="gridcell" class="br-doing">
        <Show when={isWhole()} fallback={<Doing {...props} />}>
          <AskedInRow calls={asked()} scroller={props.scroller} seen={setSight} />
        </Show>
        <Problem text={problemOf(props.asks)} />
        <Show when={props.asks.reason() !== null}>
          <form
            class="why-not"
            onSubmit={(event) => {
              event.preventDefault();
              denyNow();
            }}
          >
            <label>
              <span>{t.whyNot}</span>
              <input
                ref={(input) => onMount(() => props.current && input.focus())}
                value={props.asks.reason() ?? ""}
                onInput={(event) => props.asks.setReason(event.currentTarget.value)}
                onKeyDown={(event) => event.key === "Escape" && keep()}
              />
            </label>
            <div class="why-buttons">
              <button type="submit" class="tonal small">
                {t.denyNow}
              </button>
              <button type="button" class="quiet small" onClick={keep}>
                {t.cancel}
              </button>
            </div>
          </form>
        </Show>
      </div>
      <span role="gridcell" class="br-since">
        {when(props.one.mtime, props.now)}
      </span>
      <span role="gridcell" class="br-tokens" title={props.one.tokens == null ? undefined : list.tokensUsed(props.one.tokens)}>
        <Show when={props.one.tokens != null} fallback="–">
          {compact(props.one.tokens ?? 0)} <span class="unit">{t.tokensUnit}</span>
        </Show>
      </span>
      <span role="gridcell" class="br-cost">
        {props.one.cost == null ? "–" : money(props.one.cost)}
      </span>
      <span role="gridcell" class="br-act">
        <Actions
          {...props}
          slug={slug()}
          asked={asked().length}
          whole={isWhole()}
          sight={sight()}
          href={href()}
          place={place()}
          approve={approve}
          deny={deny}
        />
      </span>
    </div>
  );
}

const problemOf = (asks: Asks): string | null => {
  const refused = asks.decisions.problem();
  if (refused !== null) return decisions.notTaken(visible(refused));
  const unread = asks.problem();
  return unread === null ? null : t.notAsked(visible(unread));
};

/** What the dialog is doing or asks for, in words, unless its requests are shown here. */
function Doing(props: OverviewRowProps) {
  const words = createMemo(() => {
    const one = props.one;
    const asks = props.asks;
    if (asks.sending()) return t.onItsWay;
    const question = mayAsk(one) ? (asks.answer()?.question ?? null) : null;
    if (one.waitingFor === "question" && question !== null) return t.quoted(visible(question));
    const stop = mayAsk(one) ? (asks.answer()?.stop ?? null) : null;
    if (one.waitingFor === "failed" && stop !== null) return stopWords(stop);
    return groupOf(one) === "done" ? (belowWords(props.below) ?? "") : doingNow(one);
  });
  return (
    <>
      <span class="words">{words()}</span>
      <Show when={props.flat && originOf(props.one)}>{(origin) => <span class="parent">{origin()}</span>}</Show>
    </>
  );
}

interface ActionsProps extends OverviewRowProps {
  readonly slug: string;
  readonly asked: number;
  readonly whole: boolean;
  readonly sight: Sight;
  readonly href: string;
  readonly place: ReturnType<typeof groupOf>;
  readonly approve: () => void;
  readonly deny: () => void;
}

function Actions(props: ActionsProps) {
  const tab = () => (props.current ? 0 : -1);
  const several = () => props.asked > 1;
  const canContinue = () => ["interrupted", "stopped", "failed"].includes(props.one.waitingFor ?? "") && props.one.status === "waiting";
  const isBusy = () => props.place === "running" || props.place === "queued";
  const named = (label: string) => ({ "aria-label": t.about(label, props.slug), tabindex: tab() });
  /** The row disappears. The one next to it gets the focus. */
  function removeRow(button: HTMLElement) {
    const rows = Array.from(props.scroller?.querySelectorAll<HTMLElement>("[role=row][data-id]") ?? []);
    const own = rows.findIndex((row) => row.contains(button));
    (rows[own + 1] ?? rows[own - 1])?.focus({ preventScroll: true });
    props.remove();
  }
  return (
    <>
      <Switch>
        <Match when={props.asked > 0}>
          <Show
            when={props.whole}
            fallback={
              <a class="action small edged" href={props.href} {...named(t.open)}>
                {t.open}
              </a>
            }
          >
            <Show
              when={props.sight === "whole"}
              fallback={
                <Show when={props.sight === "part"}>
                  <button
                    type="button"
                    class="quiet small edged"
                    {...named(t.showAll)}
                    onClick={(event) => event.currentTarget.closest("[role=row]")?.scrollIntoView({ block: "nearest" })}
                  >
                    {t.showAll}
                  </button>
                </Show>
              }
            >
              <SteadyButton {...props} class="tonal small" label={several() ? t.approveAll : t.approve} press={props.approve} />
            </Show>
          </Show>
          <button type="button" class="quiet small" {...named(several() ? t.denyAll : t.deny)} onClick={() => props.deny()}>
            {several() ? t.denyAll : t.deny}
          </button>
        </Match>
        <Match when={isAsked(props.one.activity) || props.one.waitingFor === "question"}>
          <a class="action small edged" href={props.href} {...named(t.answer)}>
            {t.answer}
          </a>
        </Match>
        <Match when={isBusy()}>
          <SteadyButton {...props} class="quiet small" label={t.stop} press={props.stop} />
        </Match>
        <Match when={canContinue()}>
          <SteadyButton {...props} class="quiet small edged" label={t.continueLabel} press={props.onContinue} />
        </Match>
      </Switch>
      <Show when={props.asked === 0 && !isBusy() && props.place !== "waiting"}>
        <SteadyButton {...props} class="quiet small rarely" label={t.remove} press={removeRow} />
      </Show>
    </>
  );
}

/**
 * A button that can't be pressed when it has just appeared or moved under the pointer: the buttons of a row take each other's place. It is watched
 * from the start. It may disappear when it is pressed, so the row gets the focus.
 */
function SteadyButton(
  props: ActionsProps & { readonly class: string; readonly label: string; readonly press: (button: HTMLElement) => void },
) {
  const [button, setButton] = createSignal<HTMLButtonElement>();
  onMount(() => {
    const own = button();
    if (own) props.steady.watch(own);
  });
  function press(own: HTMLElement) {
    if (props.steady.hasMoved(own)) return props.announce(t.moved);
    own.closest<HTMLElement>("[role=row]")?.focus({ preventScroll: true });
    return props.press(own);
  }
  return (
    <button
      ref={setButton}
      type="button"
      class={props.class}
      aria-label={t.about(props.label, props.slug)}
      tabindex={props.current ? 0 : -1}
      onClick={(event) => event.detail <= 1 && press(event.currentTarget)}
    >
      {props.label}
    </button>
  );
}
