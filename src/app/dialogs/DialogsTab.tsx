import { createEffect, createMemo, createSignal, on, Show, Suspense } from "solid-js";
import type { DialogListing } from "../../engine/api.ts";
import { newDialog } from "../api/calls.ts";
import type { EngineEvents } from "../api/events.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { usualProvider } from "../providers/usual.ts";
import { NameForm } from "../shell/NameForm.tsx";
import type { Notices } from "../shell/notices.ts";
import { offer } from "../shell/offered.ts";
import type { Lines, Route, Router } from "../shell/route.ts";
import { type Row, Sidebar } from "../shell/Sidebar.tsx";
import { TwoPanes } from "../shell/TwoPanes.tsx";
import * as t from "../texts/dialog-list.ts";
import { DialogPane } from "./DialogPane.tsx";
import type { Outbox } from "./drafts.ts";
import { groupDialogs, withSlug } from "./groups.ts";
import { Invitation } from "./Invitation.tsx";
import { atWorkBelow } from "./launched.ts";
import { createListActions } from "./list-actions.ts";
import type { DialogList } from "./list.ts";
import { createOpenDialog } from "./open-dialog.ts";
import type { ProviderDesk } from "./provider-choice.ts";
import { rowOf, titleOf } from "./rows.ts";
import type { Starter } from "./start.ts";
import { lazyPart } from "../shell/lazy-part.tsx";

const TextPane = lazyPart(() => import("./TextPane.tsx"));

export interface DialogsTabProps {
  readonly router: Router;
  readonly events: EngineEvents;
  readonly list: DialogList;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly providers: ProviderDesk;
  readonly notices: Notices;
  readonly starter: Starter;
  /** The dialog of the route while this tab shows. */
  readonly target: string | null;
  /** Set while it shows as text. */
  readonly text: (Route & { readonly tab: "dialogs" })["text"];
}

export default function DialogsTab(props: DialogsTabProps) {
  const [filter, setFilter] = createSignal("");
  const dialog = createOpenDialog(
    () => (props.text === undefined ? props.target : null),
    () => props.router.replace({ tab: "dialogs", dialogId: null }),
  );

  /** The dialog just created, until its pane has come and taken the focus. */
  let created: string | null = null;
  function takesFocus(dialogId: string): boolean {
    const isNew = dialogId === created;
    if (isNew) created = null;
    return isNew;
  }

  function goOnIn(dialogId: string) {
    created = dialogId;
    props.router.go({ tab: "dialogs", dialogId });
  }

  async function create(name: string): Promise<string | null> {
    if (name.trim() === "") return t.nameMissing;
    const provider = (await usualProvider()) ?? "demo";
    const answer = await newDialog({ provider, slug: name.trim() });
    if (!answer.ok) return t.notCreated(answer.message);
    await props.list.refresh();
    setFilter("");
    created = answer.value.dialogId;
    props.router.go({ tab: "dialogs", dialogId: answer.value.dialogId });
    return null;
  }

  // What is handed over lives as long as the page.
  /* oxlint-disable solid/reactivity */
  const actions = createListActions({
    list: props.list,
    drafts: props.drafts,
    outbox: props.outbox,
    notices: props.notices,
    ready: () => props.providers.ready(),
    leave: (dialogId) => props.target === dialogId && props.router.replace({ tab: "dialogs", dialogId: null }),
    go: (dialogId) => props.router.go({ tab: "dialogs", dialogId }),
  });
  /* oxlint-enable solid/reactivity */

  // Ten thousand are sorted and put into words once; which of them show is another question, asked with every key.
  const everything = createMemo(() => groupDialogs(props.list.dialogs()));
  const below = createMemo(() => atWorkBelow(props.list.dialogs()));
  const rows = createMemo(() => {
    const now = Date.now();
    const launched = below();
    const words = (one: DialogListing): Row => ({
      ...rowOf(one, now, launched.get(one.dialogId)),
      current: one.dialogId === props.target,
      remove: () => void actions.drop(one),
    });
    return new Map(props.list.dialogs().map((one) => [one, words(one)]));
  });
  const groups = createMemo(() =>
    withSlug(everything(), filter()).map((group) => ({
      title: titleOf(group),
      ...actions.ofGroup(group),
      rows: group.dialogs.flatMap((one) => rows().get(one) ?? []),
    })),
  );
  offer({ commands: () => groups().flatMap(({ action }) => action ?? []), rank: 1 });
  // Once the list is there, what it can't know by itself is looked up.
  createEffect(
    on(
      () => props.list.loaded(),
      (loaded) => loaded && void props.list.look(),
    ),
  );
  const nothingYet = () => props.list.loaded() && props.list.dialogs().length === 0;

  return (
    <TwoPanes
      open={props.target !== null}
      back={t.dialogs}
      title={props.target === null ? "" : visible(slugOf(props.target))}
      onBack={() => props.router.go({ tab: "dialogs", dialogId: null })}
      side={
        <Sidebar
          label={t.dialogs}
          groups={groups()}
          empty={
            <>
              <p>{filter() === "" ? (props.list.loaded() ? (props.list.problem() ?? t.noDialogs) : t.loading) : t.noneOfThatName}</p>
              <Show when={nothingYet()}>
                <div class="empty phone-only">
                  <Invitation starter={props.starter} />
                </div>
              </Show>
            </>
          }
          head={
            <>
              <input
                type="search"
                class="filter"
                aria-label={t.filterDialogs}
                placeholder={t.filterHint}
                value={filter()}
                onInput={(event) => setFilter(event.currentTarget.value)}
              />
              <NameForm button={t.newDialog} label={t.newDialogName} submit={create} />
            </>
          }
        />
      }
      main={
        <Show
          when={props.target !== null}
          fallback={
            <div class="empty">
              <Show when={nothingYet()} fallback={<p>{t.chooseDialog}</p>}>
                <Invitation starter={props.starter} />
              </Show>
            </div>
          }
        >
          <Show
            when={props.text}
            fallback={
              <DialogPane
                dialog={dialog}
                events={props.events}
                drafts={props.drafts}
                outbox={props.outbox}
                notices={props.notices}
                providers={props.providers}
                below={below().get(props.target ?? "")}
                takesFocus={takesFocus}
                go={goOnIn}
              />
            }
          >
            {(text) => (
              <Suspense>
                <TextPane dialogId={props.target ?? ""} lines={linesOf(text())} notices={props.notices} />
              </Suspense>
            )}
          </Show>
        </Show>
      }
    />
  );
}

const linesOf = (text: "whole" | Lines) => (text === "whole" ? null : text);
