import { createMemo, createSignal, Show, Suspense } from "solid-js";
import type { DialogListing } from "../../protocol/index.ts";
import { newDialog } from "../model/api/calls.ts";
import type { EngineEvents } from "../model/api/events.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { defaultProvider } from "../providers/default-provider.ts";
import { NameForm } from "../ui/NameForm.tsx";
import type { Notices } from "../ui/notices.ts";
import { offer } from "../ui/offered.ts";
import type { Route, Router } from "../model/route.ts";
import { type Row, Sidebar } from "../ui/Sidebar.tsx";
import { TwoPanes } from "../ui/TwoPanes.tsx";
import * as t from "../texts/dialog-list.ts";
import { DialogPane } from "./DialogPane.tsx";
import { outboxOf } from "./drafts.ts";
import { groupDialogs, withSlug } from "./groups.ts";
import { type AtWork, atWorkBelow } from "./launched.ts";
import { createListActions, type ListActions } from "./list-actions.ts";
import type { DialogList } from "./list.ts";
import { createOpenDialog } from "./open-dialog.ts";
import type { ProviderRegistry } from "./provider-choice.ts";
import { rowOf, titleOf } from "./rows.ts";
import type { Starter } from "./start.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { onChange } from "../ui/on-change.ts";

const Overview = lazyPart(() => import("../overview/Overview.tsx"));
const TextPane = lazyPart(() => import("./TextPane.tsx"));

export interface DialogsTabProps {
  readonly router: Router;
  readonly events: EngineEvents;
  readonly list: DialogList;
  readonly drafts: Drafts;
  readonly providers: ProviderRegistry;
  readonly notices: Notices;
  readonly starter: Starter;
  /** Opens the guide. */
  readonly guide: () => void;
  /** The route's dialog while this tab shows. */
  readonly target: string | null;
  /** Set while the dialog shows as text. */
  readonly text: (Route & { readonly tab: "dialogs" })["text"];
}

export default function DialogsTab(props: DialogsTabProps) {
  const dialog = createOpenDialog(
    () => (props.text === undefined ? props.target : null),
    () => props.router.replace({ tab: "dialogs", dialogId: null }),
  );

  /** The dialog just created, until its pane appears and takes the focus. */
  let created: string | null = null;
  function takesFocus(dialogId: string): boolean {
    const isNew = dialogId === created;
    if (isNew) created = null;
    return isNew;
  }

  function continueIn(dialogId: string) {
    created = dialogId;
    props.router.go({ tab: "dialogs", dialogId });
  }

  async function create(name: string, isRoom: boolean): Promise<string | null> {
    if (name.trim() === "") return t.nameMissing;
    const provider = (await defaultProvider()) ?? "demo";
    const answer = await newDialog({ provider, slug: name.trim(), ...(isRoom ? { room: name.trim() } : {}) });
    if (!answer.ok) return t.notCreated(answer.message);
    await props.list.refresh();
    created = answer.value.dialogId;
    props.router.go({ tab: "dialogs", dialogId: answer.value.dialogId });
    return null;
  }

  // Everything passed on here lives as long as the page.
  /* oxlint-disable solid/reactivity */
  const actions = createListActions({
    list: props.list,
    drafts: props.drafts,
    outbox: outboxOf(props.drafts),
    notices: props.notices,
    ready: () => props.providers.ready(),
    leave: (dialogId) => {
      const isOpen = props.target === dialogId;
      if (isOpen) props.router.replace({ tab: "dialogs", dialogId: null });
      return isOpen;
    },
    go: (dialogId) => props.router.go({ tab: "dialogs", dialogId }),
    reopen: (dialogId) => {
      const now = props.router.route();
      if (now.tab === "dialogs" && now.dialogId === null) props.router.go({ tab: "dialogs", dialogId });
    },
  });
  /* oxlint-enable solid/reactivity */

  const below = createMemo(() => atWorkBelow(props.list.dialogs()));
  offer({ commands: () => actions.everyone(), rank: 1 });
  // Once the list has loaded, look up what it doesn't contain itself.
  onChange(
    () => props.list.loaded(),
    (loaded) => loaded && void props.list.look(),
  );

  return (
    <Show
      when={props.target}
      fallback={
        <Suspense>
          <Overview
            list={props.list}
            below={below()}
            actions={actions}
            providers={props.providers}
            notices={props.notices}
            router={props.router}
            starter={props.starter}
            create={create}
          />
        </Suspense>
      }
    >
      {(target) => (
        <TwoPanes
          open
          back={t.dialogs}
          title={visible(slugOf(target()))}
          onBack={() => props.router.go({ tab: "dialogs", dialogId: null })}
          side={<DialogsSide router={props.router} list={props.list} target={target()} below={below()} actions={actions} create={create} />}
          main={
            <Show
              when={props.text}
              fallback={
                <DialogPane
                  dialog={dialog}
                  events={props.events}
                  drafts={props.drafts}
                  outbox={outboxOf(props.drafts)}
                  notices={props.notices}
                  providers={props.providers}
                  below={below().get(target())}
                  takesFocus={takesFocus}
                  guide={props.guide}
                  list={props.list}
                  go={continueIn}
                />
              }
            >
              {(text) => (
                <Suspense>
                  <TextPane dialogId={target()} at={textPlace(text())} notices={props.notices} />
                </Suspense>
              )}
            </Show>
          }
        />
      )}
    </Show>
  );
}

/** The list beside an open dialog. */
function DialogsSide(props: {
  router: Router;
  list: DialogList;
  target: string;
  below: ReadonlyMap<string, AtWork>;
  actions: ListActions;
  create: (name: string, isRoom: boolean) => Promise<string | null>;
}) {
  const [filter, setFilter] = createSignal("");
  // Sorting and formatting ten thousand dialogs happens once. Filtering happens at each key press.
  const everything = createMemo(() => groupDialogs(props.list.dialogs()));
  const rows = createMemo(() => {
    const now = Date.now();
    const launched = props.below;
    const words = (one: DialogListing): Row => ({
      ...rowOf(one, now, launched.get(one.dialogId)),
      current: one.dialogId === props.target,
      remove: () => void props.actions.drop(one),
    });
    return new Map(props.list.dialogs().map((one) => [one, words(one)]));
  });
  const groups = createMemo(() =>
    withSlug(everything(), filter()).map((group) => ({
      title: titleOf(group),
      ...props.actions.ofGroup(group),
      rows: group.dialogs.flatMap((one) => rows().get(one) ?? []),
    })),
  );
  async function create(name: string, isRoom: boolean) {
    const problem = await props.create(name, isRoom);
    if (problem === null) setFilter("");
    return problem;
  }
  return (
    <Sidebar
      label={t.dialogs}
      groups={groups()}
      empty={<p>{filter() === "" ? (props.list.loaded() ? (props.list.problem() ?? t.noDialogs) : t.loading) : t.noneOfThatName}</p>}
      head={
        <>
          <button type="button" class="quiet small whole-line" onClick={() => props.router.go({ tab: "dialogs", dialogId: null })}>
            ‹ {t.toOverview}
          </button>
          <input
            type="search"
            class="filter"
            aria-label={t.filterDialogs}
            placeholder={t.filterHint}
            value={filter()}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <NameForm button={t.newDialog} label={t.newDialogName} option={t.asRoom} submit={create} />
        </>
      }
    />
  );
}

const textPlace = <At,>(text: "whole" | At) => (text === "whole" ? null : text);
