import { createMemo, createSignal, Show } from "solid-js";
import { deleteFile, newDialog, readDialog, writeFile } from "../api/calls.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import { NameForm } from "../shell/NameForm.tsx";
import type { Notices } from "../shell/notices.ts";
import { formatRoute, type Router } from "../shell/route.ts";
import { type Row, Sidebar } from "../shell/Sidebar.tsx";
import { TwoPanes } from "../shell/TwoPanes.tsx";
import { when } from "../shell/words.ts";
import { DialogPane } from "./DialogPane.tsx";
import { draftKey } from "./drafts.ts";
import { doing, groupDialogs } from "./groups.ts";
import type { DialogList } from "./list.ts";
import { createOpenDialog } from "./open-dialog.ts";
import type { Starter } from "./start.ts";
import type { DialogListing } from "../../engine/api.ts";

export interface DialogsTabProps {
  readonly router: Router;
  readonly list: DialogList;
  readonly drafts: Drafts;
  readonly notices: Notices;
  readonly starter: Starter;
  /** The dialog of the route while this tab shows. */
  readonly target: string | null;
}

export default function DialogsTab(props: DialogsTabProps) {
  const [filter, setFilter] = createSignal("");
  const dialog = createOpenDialog(
    () => props.target,
    () => props.router.replace({ tab: "dialogs", dialogId: null }),
  );

  /** The dialog just created, until its pane has come and taken the focus. */
  let created: string | null = null;
  function takesFocus(dialogId: string): boolean {
    const isNew = dialogId === created;
    if (isNew) created = null;
    return isNew;
  }

  async function create(name: string): Promise<string | null> {
    if (name.trim() === "") return "Please give the dialog a name.";
    const provider = await props.starter.usualProvider();
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
    const draft = props.drafts.get(draftKey(dialogId));
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
    props.drafts.drop(draftKey(dialogId));
    await props.list.refresh();
    const bringBack = async (markdown: string) => {
      const restored = await writeFile(filename, markdown);
      if (!restored.ok) return props.notices.add({ message: `${slug} could not be brought back: ${restored.message}` });
      if (draft !== null) props.drafts.keep(draftKey(dialogId), draft);
      await props.list.refresh();
      return props.router.go({ tab: "dialogs", dialogId });
    };
    props.notices.add({
      message: `${slug} is deleted.`,
      ...(content.ok ? { action: { label: "Undo", run: () => void bringBack(content.value.markdown) } } : {}),
    });
  }

  const groups = createMemo(() => {
    const now = Date.now();
    return groupDialogs(props.list.dialogs(), filter()).map(({ title, dialogs }) => ({
      title,
      rows: dialogs.map(
        (one): Row => ({
          key: one.dialogId,
          href: formatRoute({ tab: "dialogs", dialogId: one.dialogId }),
          title: visible(slugOf(one.dialogId)),
          hint: visible(one.filename),
          side: when(one.mtime, now),
          note: one.status === "done" ? "" : doing(one.status, props.list.activity(one.dialogId)),
          mark: one.status === "waiting" ? "waiting" : one.status === "active" ? "running" : "none",
          current: one.dialogId === props.target,
          remove: () => void drop(one),
        }),
      ),
    }));
  });
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
          <DialogPane dialog={dialog} drafts={props.drafts} notices={props.notices} takesFocus={takesFocus} />
        </Show>
      }
    />
  );
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
