import { createEffect, createMemo, createSignal, lazy, on, Show, Suspense } from "solid-js";
import { deleteFile, newDialog, readDialog, stopAll, writeFile } from "../api/calls.ts";
import type { EngineEvents } from "../api/events.ts";
import { visible } from "../calls/visible.ts";
import { money } from "../cost/money.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { NameForm } from "../shell/NameForm.tsx";
import type { Notices } from "../shell/notices.ts";
import { usualProvider } from "../providers/usual.ts";
import { formatRoute, type Lines, type Route, type Router } from "../shell/route.ts";
import { type Group, type Row, Sidebar } from "../shell/Sidebar.tsx";
import { TwoPanes } from "../shell/TwoPanes.tsx";
import { counted, number, when } from "../shell/words.ts";
import type { ProviderDesk } from "./Composer.tsx";
import { DialogPane } from "./DialogPane.tsx";
import { draftsOf, type Outbox } from "./drafts.ts";
import { type DialogGroup, doing, groupDialogs } from "./groups.ts";
import { isAsked, placeOf } from "./place.ts";
import { interrupted, resumeAll } from "./resume.ts";
import type { DialogList } from "./list.ts";
import { createOpenDialog } from "./open-dialog.ts";
import type { Starter } from "./start.ts";
import type { DialogListing } from "../../engine/api.ts";

const TextPane = lazy(() => import("./TextPane.tsx"));

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
    if (name.trim() === "") return "Please give the dialog a name.";
    const provider = (await usualProvider()) ?? "demo";
    const answer = await newDialog({ provider, slug: name.trim() });
    if (!answer.ok) return `Not created: ${answer.message}`;
    await props.list.refresh();
    setFilter("");
    created = answer.value.dialogId;
    props.router.go({ tab: "dialogs", dialogId: answer.value.dialogId });
    return null;
  }

  async function drop({ dialogId }: DialogListing) {
    const slug = visible(slugOf(dialogId));
    const kept = draftsOf(props.drafts, dialogId);
    const reading = readDialog(dialogId);
    if (props.target === dialogId) props.router.replace({ tab: "dialogs", dialogId: null });
    const content = await reading;
    const filename = content.ok ? content.value.filename : props.list.dialogs().find((other) => other.dialogId === dialogId)?.filename;
    if (filename === undefined) return;
    const removed = await deleteFile(filename);
    if (!removed.ok && removed.kind !== "missing") {
      const advice = removed.kind === "busy" ? " Stop it first." : "";
      return props.notices.add({ message: `${slug} was not deleted: ${removed.message}${advice}` });
    }
    props.outbox.drop(dialogId);
    await props.list.refresh();
    const bringBack = async (markdown: string) => {
      const restored = await writeFile(filename, markdown);
      if (!restored.ok) return props.notices.add({ message: `${slug} could not be brought back: ${restored.message}` });
      for (const { key, draft } of kept) props.drafts.keep(key, draft);
      await props.list.refresh();
      return props.router.go({ tab: "dialogs", dialogId });
    };
    props.notices.add({
      message: `${slug} is deleted.`,
      ...(content.ok ? { action: { label: "Undo", run: () => void bringBack(content.value.markdown) } } : {}),
    });
  }

  const [busy, setBusy] = createSignal(false);
  async function stopEveryone() {
    if (busy()) return;
    setBusy(true);
    const answer = await stopAll();
    setBusy(false);
    if (!answer.ok) return props.notices.add({ message: `The agents could not be stopped: ${answer.message}` });
    const { length } = answer.value.stopped;
    return props.notices.add({
      message:
        length === 0
          ? "No agent was at work any more."
          : `${counted(length, "agent")} stopped. What they wrote is kept, and each goes on when you say so.`,
    });
  }
  async function resumeEveryone() {
    if (busy()) return;
    setBusy(true);
    const refused = (await props.providers.ready()) ? await resumeAll(interrupted(props.list.dialogs())) : [];
    setBusy(false);
    for (const { dialogId, message } of refused)
      props.notices.add({
        message: `${visible(slugOf(dialogId))} could not go on: ${message}`,
        href: formatRoute({ tab: "dialogs", dialogId }),
      });
  }
  /** Stopping and resuming are for all there are, whatever the filter shows. */
  function actionOf({ place }: DialogGroup): Pick<Group, "action"> {
    const all = props.list.dialogs();
    const works = all.filter(({ status, activity }) => status === "active" || activity?.kind === "queued").length;
    if (works > 1 && (place === "running" || (place === "queued" && !all.some((one) => placeOf(one) === "running")))) {
      const hint = `Stops ${counted(works, "agent")} at once. That can't be undone, but each can be asked to go on.`;
      return { action: { label: "Stop all", hint, run: () => void stopEveryone() } };
    }
    const broken = place === "waiting" ? interrupted(all).length : 0;
    if (broken < 2) return {};
    const hint = `Asks the ${broken} agents that were interrupted to go on.`;
    return { action: { label: "Resume all", hint, run: () => void resumeEveryone() } };
  }

  const groups = createMemo(() => {
    const now = Date.now();
    return groupDialogs(props.list.dialogs(), filter()).map((group) => ({
      title: titleOf(group),
      ...actionOf(group),
      rows: group.dialogs.map(
        (one): Row => ({
          key: one.dialogId,
          href: formatRoute({ tab: "dialogs", dialogId: one.dialogId }),
          title: visible(slugOf(one.dialogId)),
          hint: visible(one.filename),
          side: when(one.mtime, now),
          note: noteOf(one),
          mark: markOf(one),
          current: one.dialogId === props.target,
          remove: () => void drop(one),
        }),
      ),
    }));
  });
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
      back="Dialogs"
      title={props.target === null ? "" : visible(slugOf(props.target))}
      onBack={() => props.router.go({ tab: "dialogs", dialogId: null })}
      side={
        <Sidebar
          label="Dialogs"
          groups={groups()}
          empty={
            <>
              <p>
                {filter() === ""
                  ? props.list.loaded()
                    ? (props.list.problem() ?? "No dialogs yet.")
                    : "…"
                  : "No dialog has this in its name."}
              </p>
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
                aria-label="Filter dialogs"
                placeholder="Filter"
                value={filter()}
                onInput={(event) => setFilter(event.currentTarget.value)}
              />
              <NameForm button="+ New dialog" label="Name of the dialog" submit={create} />
            </>
          }
        />
      }
      main={
        <Show
          when={props.target !== null}
          fallback={
            <div class="empty">
              <Show when={nothingYet()} fallback={<p>Choose a dialog on the left, or open a new one.</p>}>
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

/** What it does or waits for, who launched it, what it has used. */
function noteOf(one: DialogListing): string {
  const { status, activity, waitingFor, wants, launchedBy, tokens, cost } = one;
  return [
    placeOf(one) === "done" ? null : doing(status, activity, waitingFor, wants),
    launchedBy == null ? null : `launched by ${visible(slugOf(launchedBy))}`,
    cost == null ? null : money(cost),
    tokens == null ? null : `${number(tokens)} tokens`,
  ]
    .filter((word) => word !== null)
    .join(" · ");
}

/** How many there are is said of those who work. */
const titleOf = ({ place, title, dialogs }: DialogGroup) =>
  place === "running" || place === "queued" ? `${title} · ${dialogs.length}` : title;

function markOf(one: DialogListing): Row["mark"] {
  const place = placeOf(one);
  if (place === "done") return "none";
  return place === "waiting" && (one.waitingFor === "leave" || isAsked(one.activity)) ? "leave" : place;
}

function Invitation(props: { starter: Starter }) {
  return (
    <>
      <h2>Nothing runs yet</h2>
      <p>An agent reads what you wrote in main and begins. It asks before it does anything.</p>
      <button type="button" class="primary large" disabled={props.starter.starting()} onClick={() => void props.starter.start()}>
        Start
      </button>
    </>
  );
}
