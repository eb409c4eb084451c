import { createSignal } from "solid-js";
import type { DialogListing } from "../../protocol/index.ts";
import { deleteFile, readDialog, stopAll, writeFile } from "../model/api/calls.ts";
import { visible } from "../calls/visible.ts";
import type { Drafts } from "../docs/drafts.ts";
import { slugOf } from "../docs/names.ts";
import type { Notices } from "../ui/notices.ts";
import { formatRoute } from "../model/route.ts";
import type { Group } from "../ui/Sidebar.tsx";
import * as t from "../texts/dialog-list.ts";
import { draftsOf, type Outbox } from "./drafts.ts";
import type { DialogGroup } from "./groups.ts";
import type { DialogList } from "./list.ts";
import { groupOf } from "./dialog-group.ts";
import { interrupted, resumeAll } from "./resume.ts";

type GroupAction = NonNullable<Group["action"]>;

export interface ListActionsDeps {
  readonly list: DialogList;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly notices: Notices;
  /** Unlocks locked keys. False: the user leaves them locked. */
  readonly ready: () => Promise<boolean>;
  /** If this dialog is open, shows the list alone. Returns whether it was open. */
  readonly leave: (dialogId: string) => boolean;
  readonly go: (dialogId: string) => void;
  /** Shows the dialog again, unless the user has gone elsewhere. */
  readonly reopen: (dialogId: string) => void;
}

/** What can be done from the list: with one dialog, or with all of a group at once. */
export function createListActions(deps: ListActionsDeps) {
  const [busy, setBusy] = createSignal(false);

  async function drop({ dialogId }: DialogListing) {
    const slug = visible(slugOf(dialogId));
    const kept = draftsOf(deps.drafts, dialogId);
    const reading = readDialog(dialogId);
    const wasOpen = deps.leave(dialogId);
    const content = await reading;
    // A dialog that can't be read couldn't be restored.
    if (!content.ok && content.kind !== "missing") {
      if (wasOpen) deps.reopen(dialogId);
      return deps.notices.add({ message: t.notDeleted(slug, content.message) });
    }
    const filename = content.ok ? content.value.filename : deps.list.dialogs().find((other) => other.dialogId === dialogId)?.filename;
    if (filename === undefined) return;
    const removed = await deleteFile(filename);
    if (!removed.ok && removed.kind !== "missing") {
      const { kind, message } = removed;
      if (wasOpen) deps.reopen(dialogId);
      return deps.notices.add({ message: kind === "busy" ? t.notDeletedAtWork(slug, message) : t.notDeleted(slug, message) });
    }
    deps.outbox.drop(dialogId);
    await deps.list.refresh();
    const undo = (message: string) =>
      deps.notices.add({
        message,
        ...(content.ok ? { each: true, action: { label: t.undoDelete, run: () => void bringBack(content.value.markdown) } } : {}),
      });
    const bringBack = async (markdown: string) => {
      const restored = await writeFile(filename, markdown);
      if (!restored.ok) return undo(t.notBroughtBack(slug, restored.message));
      for (const { key, draft } of kept) deps.drafts.keep(key, draft);
      await deps.list.refresh();
      return deps.go(dialogId);
    };
    undo(t.deleted(slug));
  }

  async function stopEveryone() {
    if (busy()) return;
    setBusy(true);
    const answer = await stopAll();
    setBusy(false);
    if (!answer.ok) return deps.notices.add({ message: t.notStopped(answer.message) });
    const { length } = answer.value.stopped;
    return deps.notices.add({ message: length === 0 ? t.noneAtWork : t.stopped(length) });
  }
  async function resumeEveryone() {
    if (busy()) return;
    setBusy(true);
    const refused = (await deps.ready()) ? await resumeAll(interrupted(deps.list.dialogs())) : [];
    setBusy(false);
    for (const { dialogId, message } of refused)
      deps.notices.add({
        message: t.notResumed(visible(slugOf(dialogId)), message),
        href: formatRoute({ tab: "dialogs", dialogId }),
      });
  }

  const atWork = () => deps.list.dialogs().filter(({ status, activity }) => status === "active" || activity?.kind === "queued").length;
  /** Each action is offered only if it would affect several dialogs. */
  function stopping(): GroupAction | null {
    const works = atWork();
    return works > 1 ? { label: t.stopAll, hint: t.stopAllHint(works), run: () => void stopEveryone() } : null;
  }
  function resuming(): GroupAction | null {
    const broken = interrupted(deps.list.dialogs()).length;
    return broken > 1 ? { label: t.resumeAll, hint: t.resumeAllHint(broken), run: () => void resumeEveryone() } : null;
  }

  return {
    drop,
    /** Stopping and resuming affect all dialogs, whatever the filter shows. */
    everyone: () => [stopping(), resuming()].filter((action) => action !== null),
    ofGroup({ place }: DialogGroup): Pick<Group, "action"> {
      const isFirst = place === "running" || (place === "queued" && !deps.list.dialogs().some((one) => groupOf(one) === "running"));
      const action = isFirst ? stopping() : place === "waiting" ? resuming() : null;
      return action === null ? {} : { action };
    },
  };
}
export type ListActions = ReturnType<typeof createListActions>;
