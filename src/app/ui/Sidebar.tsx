import { createMemo, createSignal, For, type JSX, Match, Show, Suspense, Switch } from "solid-js";
import { moveFocus } from "./arrow-keys.ts";
import { nearEnd } from "./near-end.ts";
import * as t from "../texts/frame.ts";
import { lazyPart } from "./lazy-part.tsx";
import { onChange } from "./on-change.ts";

const LongRows = lazyPart(() => import("./LongRows.tsx"));

/** Lists with up to this many items are in the page as a whole. Longer ones load the code that shows only what is in view. */
const short = 60;

export interface Row {
  readonly key: string;
  readonly href: string;
  readonly title: string;
  /** The name in the store, for the tooltip. */
  readonly hint: string;
  readonly side: string;
  readonly note: string;
  /** The marked part of the note, as offsets. */
  readonly marked?: { readonly from: number; readonly to: number };
  readonly mark: "leave" | "waiting" | "failed" | "running" | "queued" | "stopped" | "none";
  readonly current: boolean;
  readonly remove: (() => void) | null;
  /** What a click does besides following the link. */
  readonly run?: () => void;
}
export interface Group {
  readonly title: string;
  readonly rows: readonly Row[];
  /** An action on all of the group's rows at once. */
  readonly action?: { readonly label: string; readonly hint: string; readonly run: () => void };
}
type Item = { readonly kind: "title"; readonly group: Group } | { readonly kind: "row"; readonly row: Row };

/** Groups of links, any number of them. Of a long list, only the rows in view are in the page. Up and Down move between them. */
export function Sidebar(props: {
  label: string;
  head: JSX.Element;
  groups: readonly Group[];
  empty: JSX.Element;
  /** Called when the end of the list is in view, or nearly. */
  nearEnd?: () => void;
}) {
  const items = createMemo(
    () =>
      new Map(
        props.groups.flatMap((group): [string, Item][] => [
          [`title-${group.title}`, { kind: "title", group }],
          ...group.rows.map((row): [string, Item] => [`row-${row.key}`, { kind: "row", row }]),
        ]),
      ),
  );
  /** Rows are identified by their keys: a row that is built again loses the focus, and a click that has begun on it. */
  const keys = createMemo(() => [...items().keys()]);
  const rowOf = (key: string) => <Show when={items().get(key)}>{(item) => <ItemRow item={item()} />}</Show>;
  // A list that was once long keeps counting as long, so that it isn't rebuilt each time its length crosses the limit.
  const isLong = createMemo((was: boolean) => was || items().size > short, false);
  const seenEnd = () => props.nearEnd?.();
  return (
    <nav class="sidebar" aria-label={props.label}>
      <div class="sidebar-head">{props.head}</div>
      <Show when={keys().length > 0} fallback={<div class="sidebar-empty">{props.empty}</div>}>
        <Suspense fallback={<ShortRows keys={keys().slice(0, short)} row={rowOf} />}>
          <Show when={isLong()} fallback={<ShortRows keys={keys()} row={rowOf} nearEnd={seenEnd} />}>
            <LongRows keys={keys()} row={rowOf} nearEnd={seenEnd} />
          </Show>
        </Suspense>
      </Show>
    </nav>
  );
}

function ShortRows(props: { keys: readonly string[]; row: (key: string) => JSX.Element; nearEnd?: () => void }) {
  const [list, setList] = createSignal<HTMLDivElement>();
  function look() {
    const shown = list();
    if (shown && nearEnd(shown)) props.nearEnd?.();
  }
  // A list that is shorter than its box never scrolls.
  onChange([() => props.keys, list], () => {
    requestAnimationFrame(look);
  });
  return (
    <div ref={setList} class="rows" tabindex={-1} onScroll={look}>
      <For each={props.keys}>{(key) => props.row(key)}</For>
    </div>
  );
}

function ItemRow(props: { item: Item }) {
  return (
    <Switch>
      <Match when={props.item.kind === "title" && props.item}>{(title) => <GroupTitle group={title().group} />}</Match>
      <Match when={props.item.kind === "row" && props.item}>{(row) => <SidebarRow row={row().row} />}</Match>
    </Switch>
  );
}

function GroupTitle(props: { group: Group }) {
  return (
    <div class="group-title">
      <h2>{props.group.title}</h2>
      <Show when={props.group.action}>
        {(action) => (
          <button type="button" class="quiet small" title={action().hint} onClick={() => action().run()}>
            {action().label}
          </button>
        )}
      </Show>
    </div>
  );
}

function SidebarRow(props: { row: Row }) {
  return (
    <div class={`row mark-${props.row.mark}`} classList={{ current: props.row.current }}>
      <a
        href={props.row.href}
        title={props.row.hint}
        aria-current={props.row.current ? "page" : undefined}
        onKeyDown={(event) => moveFocus(event, event.currentTarget.closest("nav"))}
        onClick={() => props.row.run?.()}
      >
        <strong>{props.row.title}</strong>
        <span class="side">{props.row.side}</span>
        <Show when={props.row.note !== ""}>
          <Show when={props.row.marked} fallback={<small>{props.row.note}</small>}>
            {(marked) => (
              <small>
                {props.row.note.slice(0, marked().from)}
                <mark>{props.row.note.slice(marked().from, marked().to)}</mark>
                {props.row.note.slice(marked().to)}
              </small>
            )}
          </Show>
        </Show>
      </a>
      <Show when={props.row.remove}>
        {(remove) => (
          <button
            type="button"
            class="cross"
            aria-label={t.removeRow(props.row.title)}
            title={t.remove}
            onClick={(event) => {
              focusNeighbour(event.currentTarget);
              remove()();
            }}
          >
            ×
          </button>
        )}
      </Show>
    </div>
  );
}

/** The row is about to disappear, and the focus would be lost with it. */
function focusNeighbour(button: HTMLElement) {
  const nav = button.closest("nav");
  const links = Array.from(nav?.querySelectorAll("a") ?? []);
  const own = links.findIndex((link) => link.parentElement === button.parentElement);
  (links[own + 1] ?? links[own - 1] ?? nav?.querySelector<HTMLElement>("button.new"))?.focus();
}
