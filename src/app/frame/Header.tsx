import { For, Show } from "solid-js";
import { type Command, onMac, shownKeys } from "../ui/commands.ts";
import { visible } from "../calls/visible.ts";
import { formatRoute, type Tab } from "../model/route.ts";
import * as t from "../texts/frame.ts";

export interface HeaderProps {
  /** Null while a page that belongs to no tab shows. */
  readonly tab: Tab | null;
  /** Whether the history shows. */
  readonly isHistory: boolean;
  readonly choose: (tab: Tab) => void;
  /** False while a newcomer reads the welcome page. The bar then shows only entries that can contain something. */
  readonly begun: boolean;
  /** The number of dialogs that wait for the user. */
  readonly waiting: number;
  readonly project: readonly Command[];
  /** The project's name if there are several projects. */
  readonly name: string | null;
  /** Opens the palette, which finds everything by name. */
  readonly find: () => void;
  readonly settings: () => void;
  readonly start: () => void;
  readonly starting: boolean;
  /** Null while the deed has nothing to show. */
  readonly preview: { readonly open: boolean; readonly toggle: () => void } | null;
}

export function Header(props: HeaderProps) {
  return (
    <header class="top">
      <h1 class="name">
        {t.brand}
        <Show when={props.name}>{(name) => <span class="project-name">{visible(name())}</span>}</Show>
      </h1>
      <Tabs tab={props.tab} choose={props.choose} waiting={props.waiting} />
      <div class="end">
        {/* This button comes first, so that nothing else moves when it appears. */}
        <Show when={props.begun && props.preview}>
          {(preview) => (
            <button type="button" class="quiet" aria-pressed={preview().open} onClick={() => preview().toggle()}>
              {t.preview}
            </button>
          )}
        </Show>
        <Show when={props.begun}>
          <button type="button" class="quiet find-button" title={t.findAnythingHint} onClick={() => props.find()}>
            {t.find}
            <kbd aria-hidden="true">{shownKeys("Mod+KeyK", onMac())}</kbd>
          </button>
          <a class="action quiet history-link" href={history} aria-current={props.isHistory ? "page" : undefined}>
            {t.history}
          </a>
        </Show>
        <button type="button" class="quiet" popovertarget="project-menu">
          {t.project}
        </button>
        <div id="project-menu" popover="auto" class="menu">
          <a class="phone-only" href={history} onClick={(event) => event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}>
            {t.history}
          </a>
          <button type="button" class="phone-only" popovertarget="project-menu" popovertargetaction="hide" onClick={() => props.find()}>
            {t.findAnything}
          </button>
          <For each={props.project}>
            {(command) => (
              <button type="button" popovertarget="project-menu" popovertargetaction="hide" onClick={() => command.run()}>
                {command.label}
              </button>
            )}
          </For>
        </div>
        <button type="button" class="quiet" onClick={() => props.settings()}>
          {t.settings}
        </button>
        <Show when={props.begun}>
          <button type="button" class={props.tab === "docs" ? "primary" : "tonal"} disabled={props.starting} onClick={() => props.start()}>
            {t.start}
          </button>
        </Show>
      </div>
    </header>
  );
}

const history = formatRoute({ tab: "history", commit: null, path: null });

const tabs = [
  { tab: "docs", label: t.docs },
  { tab: "dialogs", label: t.dialogs },
] as const;

function Tabs(props: Pick<HeaderProps, "tab" | "choose" | "waiting">) {
  function onKey(event: KeyboardEvent & { currentTarget: HTMLElement }) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    const other = props.tab === "docs" ? "dialogs" : "docs";
    props.choose(other);
    event.currentTarget.querySelector<HTMLElement>(`#tab-${other}`)?.focus();
  }
  return (
    <div class="tabs" role="tablist" tabindex={-1} aria-label={t.docsOrDialogs} onKeyDown={onKey}>
      <For each={tabs}>
        {({ tab, label }) => (
          <button
            type="button"
            id={`tab-${tab}`}
            role="tab"
            aria-selected={props.tab === tab}
            aria-controls="panel"
            tabindex={(props.tab ?? "docs") === tab ? 0 : -1}
            onClick={() => props.choose(tab)}
          >
            {label}
            <Show when={tab === "dialogs" && props.waiting > 0}>
              <span class="badge" title={t.waitingForYou}>
                {props.waiting}
              </span>
            </Show>
          </button>
        )}
      </For>
    </div>
  );
}
