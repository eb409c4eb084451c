/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows that are not all in the page, and cards on a phone, are no table */
import { createEffect, createMemo, createSignal, For, onMount, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import type { DialogListing } from "../../protocol/index.ts";
import { send } from "../model/api/send.ts";
import { setStatus } from "../model/api/calls.ts";
import { keyOf } from "../calls/panel-keys.ts";
import { visible } from "../calls/visible.ts";
import { money } from "../cost/money.ts";
import { Invitation } from "../dialogs/Invitation.tsx";
import type { AtWork } from "../dialogs/launched.ts";
import type { ListActions } from "../dialogs/list-actions.ts";
import type { DialogList } from "../dialogs/list.ts";
import type { ProviderRegistry } from "../dialogs/provider-choice.ts";
import type { Starter } from "../dialogs/start.ts";
import { slugOf } from "../docs/names.ts";
import { NameForm } from "../ui/NameForm.tsx";
import type { Notices } from "../ui/notices.ts";
import { formatRoute, type Router } from "../model/route.ts";
import { notTaken } from "../texts/decisions.ts";
import * as dialogs from "../texts/dialogs.ts";
import * as list from "../texts/dialog-list.ts";
import * as t from "../texts/overview.ts";
import { createAllAsks } from "./asks.ts";
import { compact } from "./compact.ts";
import { OverviewRow, type RowActions } from "./OverviewRow.tsx";
import { createSteady } from "./steady.ts";
import { type Branch, countsOf, type Filter, filters, passes, treeOf, unfolded } from "./tree.ts";
import { ByKey } from "../ui/ByKey.tsx";
import { onChange } from "../ui/on-change.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet, which comes with this chunk
import "./overview.css";

/** These keys work anywhere in the overview except in a text field. */
const letters = { down: "J", up: "K", approve: "A", deny: "D" } as const;

export interface OverviewProps {
  readonly list: DialogList;
  readonly below: ReadonlyMap<string, AtWork>;
  readonly actions: ListActions;
  readonly providers: ProviderRegistry;
  readonly notices: Notices;
  readonly router: Router;
  readonly starter: Starter;
  readonly create: (name: string, isRoom: boolean) => Promise<string | null>;
}

/**
 * All dialogs of the project as a tree, shown while none is open: what each is doing, asks for, used and cost. Requests can be decided in their row.
 */
export default function Overview(props: OverviewProps) {
  const [filter, setFilter] = createSignal<Filter>("all");
  const [text, setText] = createSignal("");
  const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = createSignal<string | null>(null);
  const [scroller, setScroller] = createSignal<HTMLElement>();
  const [content, setContent] = createSignal<HTMLElement>();
  const [head, setHead] = createSignal<HTMLElement>();
  const [margin, setMargin] = createSignal(0);
  const [handle, setHandle] = createSignal<VirtualizerHandle>();
  const steady = createSteady(scroller, content);
  // The providers live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  // The notices live as long as the page.
  // oxlint-disable-next-line solid/reactivity
  const { notices } = props;
  const asks = createAllAsks(
    (provider) => props.providers.ready(provider),
    (dialogId, why) =>
      notices.add({
        message: dialogs.failedIn(visible(slugOf(dialogId)), notTaken(visible(why))),
        href: formatRoute({ tab: "dialogs", dialogId }),
      }),
  );

  const byId = createMemo(() => new Map(props.list.dialogs().map((one) => [one.dialogId, one])));
  const tree = createMemo(() => treeOf(props.list.dialogs()), [], { equals: sameTree });
  const counts = createMemo(() => countsOf(props.list.dialogs()));
  const isFlat = () => filter() !== "all" || text().trim() !== "";
  /** Rows that no longer match the filter stay until another filter is chosen, so that none disappears under the user's finger. */
  let stayed = { of: "", ids: new Set<string>() };
  /** Ids in the order of the rows. A row keeps its elements, and the focus, while its dialog exists. */
  const ids = createMemo(
    (): readonly string[] => {
      const wanted = text().trim().toLowerCase();
      const of = `${filter()} ${wanted}`;
      if (stayed.of !== of) stayed = { of, ids: new Set() };
      if (!isFlat()) return unfolded(tree(), folded()).map(({ id }) => id);
      const found = tree().flatMap(({ id }) => {
        const one = byId().get(id);
        return one !== undefined && (passes(one, filter(), wanted) || stayed.ids.has(id)) ? [id] : [];
      });
      for (const id of found) stayed.ids.add(id);
      return found;
    },
    [],
    { equals: (one, other) => one.length === other.length && one.every((id, index) => id === other[index]) },
  );
  const branches = createMemo(() => new Map(tree().map((branch) => [branch.id, branch])));
  const indexes = createMemo(() => new Map(ids().map((id, index) => [id, index])));
  const at = () => indexes().get(current() ?? "") ?? -1;
  const now = createMemo(() => (props.list.dialogs(), Date.now()));
  onChange(
    () => ids(),
    () => steady.changed(),
  );
  // Key presses start from a row.
  createEffect(() => {
    if (at() < 0) setCurrent(ids()[0] ?? null);
  });
  onChange(
    () => props.list.loaded(),
    (loaded) => loaded && void props.list.look("all"),
  );
  createEffect(() => {
    const shown = head();
    if (!shown) return;
    const size = new ResizeObserver(() => setMargin(shown.offsetHeight));
    size.observe(shown);
  });
  onMount(() => {
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) scroller()?.focus({ preventScroll: true });
  });

  function focusRow(id: string) {
    setCurrent(id);
    const index = at();
    if (index < 0) return;
    handle()?.scrollToIndex(index, { align: "nearest" });
    requestAnimationFrame(() => rowOf(id)?.focus({ preventScroll: true }));
  }
  const rowOf = (id: string) => scroller()?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
  function step(by: number) {
    const next = ids()[Math.min(ids().length - 1, Math.max(0, at() + by))];
    if (next !== undefined) focusRow(next);
  }
  function toggle(id: string, fold = !folded().has(id)) {
    const next = new Set(folded());
    if (fold) next.add(id);
    else next.delete(id);
    setFolded(next);
  }
  /** Left folds, or goes to the dialog that launched this one. Right unfolds, or goes to the first dialog that this one launched. */
  function sideways(open: boolean) {
    const branch = branches().get(current() ?? "");
    if (branch === undefined || isFlat()) return;
    if (branch.children > 0 && folded().has(branch.id) === open) return toggle(branch.id, !open);
    if (open) return branch.children > 0 ? step(1) : undefined;
    const parent = byId().get(branch.id)?.launchedBy;
    if (branch.level > 1 && parent != null) focusRow(parent);
  }
  /** The actions of the keys, for each row in the page. */
  const acts = new Map<string, RowActions>();
  const act = (what: keyof RowActions) => acts.get(current() ?? "")?.[what]();
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    [letters.down]: () => step(1),
    ARROWDOWN: () => step(1),
    [letters.up]: () => step(-1),
    ARROWUP: () => step(-1),
    HOME: () => step(-Infinity),
    END: () => step(Infinity),
    ARROWLEFT: () => sideways(false),
    ARROWRIGHT: () => sideways(true),
    ENTER: () => current() !== null && props.router.go({ tab: "dialogs", dialogId: current() }),
    [letters.approve]: () => act("approve"),
    [letters.deny]: () => act("deny"),
  };
  const repeats = new Set(["j", "k", "J", "K", "ArrowDown", "ArrowUp"]);
  function onKey(event: KeyboardEvent) {
    const { key, ctrlKey, metaKey, altKey, isComposing, target } = event;
    const pressed = keyOf({ key, ctrlKey, metaKey, altKey, isComposing, target, repeat: event.repeat && !repeats.has(key) });
    const run = pressed === null ? undefined : keys[pressed];
    if (run === undefined) return;
    event.preventDefault();
    run();
  }

  async function stop(one: DialogListing) {
    const answer = await setStatus(one.dialogId, "waiting");
    if (!answer.ok) props.notices.add({ message: t.notStopped(visible(slugOf(one.dialogId)), answer.message) });
  }
  async function continueDialog({ dialogId }: DialogListing) {
    const refused = (await props.providers.ready()) ? await send({ dialogId, prompt: dialogs.pleaseContinue }) : null;
    if (refused !== null) props.notices.add({ message: list.notResumed(visible(slugOf(dialogId)), refused) });
  }

  const summary = () => {
    const { running, queued, stopped } = counts();
    const words = t.others(running - queued, queued, stopped);
    return words === "" ? (counts().waiting > 0 ? "" : t.nothingGoesOn) : `${words}.`;
  };
  const isEmpty = () => props.list.loaded() && props.list.dialogs().length === 0;
  return (
    <section
      ref={(element) => {
        setScroller(element);
        element.addEventListener("keydown", onKey);
      }}
      class="overview"
      aria-labelledby="overview-title"
      tabindex={-1}
    >
      <div ref={setHead} class="overview-head">
        <div class="overview-title">
          <h1 id="overview-title">{t.overview}</h1>
          <Show when={props.list.dialogs().length > 0}>
            <p>
              <Show when={counts().waiting > 0}>
                <b>{t.needYou(counts().waiting)}</b>{" "}
              </Show>
              {summary()}{" "}
              <Show when={counts().tokens > 0}>{t.used(compact(counts().tokens), counts().nanos > 0 ? money(counts().nanos) : null)}</Show>
            </p>
          </Show>
        </div>
        <div class="overview-tools">
          <Show when={props.list.dialogs().length > 0}>
            <fieldset class="chips">
              <legend class="unseen">{t.show}</legend>
              <For each={filters}>
                {(name) => (
                  <button type="button" class="quiet small" aria-pressed={filter() === name} onClick={() => setFilter(name)}>
                    {t.filterCount(t.filters[name], counts()[name])}
                  </button>
                )}
              </For>
            </fieldset>
            <input
              type="search"
              class="filter"
              aria-label={list.filterDialogs}
              placeholder={list.filterHint}
              value={text()}
              onInput={(event) => setText(event.currentTarget.value)}
            />
            <ByKey each={props.actions.everyone()} by={({ label }) => label}>
              {(action) => (
                <button type="button" class="quiet small edged" title={action().hint} onClick={() => action().run()}>
                  {action().label}
                </button>
              )}
            </ByKey>
          </Show>
          <NameForm button={list.newDialog} label={list.newDialogName} option={list.asRoom} submit={props.create} />
        </div>
        <Show when={ids().length > 0}>
          <div class="bh" aria-hidden="true">
            <span>{t.columnDialog}</span>
            <span>{t.columnState}</span>
            <span>{t.columnDoing}</span>
            <span>{t.columnSince}</span>
            <span>{t.columnTokens}</span>
            <span>{t.columnCost}</span>
          </div>
        </Show>
      </div>
      <Show
        when={ids().length > 0}
        fallback={
          <div class="empty">
            <Show
              when={isEmpty()}
              fallback={
                <p>
                  {props.list.loaded() ? (props.list.problem() ?? (text().trim() === "" ? t.noneHere : list.noneOfThatName)) : list.loading}
                </p>
              }
            >
              <Invitation starter={props.starter} />
            </Show>
          </div>
        }
      >
        <div ref={setContent} role="treegrid" aria-label={t.grid} aria-rowcount={ids().length + 1} class="branches">
          <div role="row" class="unseen" aria-rowindex={1}>
            <For each={[t.columnDialog, t.columnState, t.columnDoing, t.columnSince, t.columnTokens, t.columnCost, t.columnActions]}>
              {(title) => <span role="columnheader">{title}</span>}
            </For>
          </div>
          <Show when={scroller()}>
            {(box) => (
              <Virtualizer
                ref={(made) => setHandle(made)}
                data={ids()}
                scrollRef={box()}
                startMargin={margin()}
                keepMounted={at() < 0 ? [] : [at()]}
              >
                {(id: string, index) => (
                  <Show when={byId().get(id)}>
                    {(one) => (
                      <OverviewRow
                        branch={branches().get(id)}
                        index={index()}
                        one={one()}
                        below={props.below.get(id)}
                        asks={asks.of(id)}
                        folded={isFlat() || (branches().get(id)?.children ?? 0) === 0 ? null : folded().has(id)}
                        flat={isFlat()}
                        current={current() === id}
                        scroller={scroller()}
                        steady={steady}
                        now={now()}
                        toggle={() => toggle(id)}
                        enter={() => setCurrent(id)}
                        stop={() => void stop(one())}
                        onContinue={() => void continueDialog(one())}
                        remove={() => void props.actions.drop(one())}
                        announce={(said) => props.notices.announce(said)}
                        came={(made) => acts.set(id, made)}
                        went={(made) => acts.get(id) === made && acts.delete(id)}
                      />
                    )}
                  </Show>
                )}
              </Virtualizer>
            )}
          </Show>
        </div>
        <p class="foot">
          {t.rule} <kbd>{letters.down}</kbd> <kbd>{letters.up}</kbd> {t.keyMove}, <kbd>{letters.approve}</kbd> {t.keyApprove},{" "}
          <kbd>{letters.deny}</kbd> {t.keyDeny}, <kbd>↵</kbd> {t.keyOpen}.
        </p>
      </Show>
    </section>
  );
}

const sameTree = (a: readonly Branch[], b: readonly Branch[]) => a.length === b.length && a.every((one, index) => isSame(one, b[index]));
const isSame = (a: Branch, b: Branch | undefined) =>
  b !== undefined && a.id === b.id && a.level === b.level && a.children === b.children && a.nth === b.nth && a.of === b.of;
