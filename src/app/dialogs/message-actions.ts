import { createSignal } from "solid-js";
import { forkDialog, forkWith, readDialog } from "../model/api/calls.ts";
import { opened } from "../model/api/opened.ts";
import type { Drafts } from "../docs/drafts.ts";
import { formatRoute } from "../model/route.ts";
import * as t from "../texts/messages.ts";
import { copyText } from "./copy.ts";
import { editKey, gather } from "./drafts.ts";
import { saidText } from "./frames.ts";
import { messageLines } from "./message-lines.ts";
import type { OpenDialog } from "./open-dialog.ts";
import type { Head } from "./running.ts";
import type { Notices } from "../ui/notices.ts";

export interface MessageActionsDeps {
  readonly dialog: OpenDialog;
  readonly head: () => Head;
  readonly drafts: Drafts;
  readonly notices: Notices;
  /** Unlocks a provider's key if needed. False: the user leaves it locked. */
  readonly ready: (provider: string) => Promise<boolean>;
  /** Shows another dialog. */
  readonly go: (dialogId: string) => void;
  readonly failed: (problem: string | null) => void;
  /** Whether the dialog still shows. */
  readonly isShown: () => boolean;
}

/** What can be done with one message; `index` counts from 0. None of it changes the dialog. */
export function createMessageActions(deps: MessageActionsDeps) {
  const [editing, setEditing] = createSignal<number | null>(null);
  const [discussing, setDiscussing] = createSignal<number | null>(null);
  const [busy, setBusy] = createSignal(false);
  const id = () => deps.head().dialogId;
  const messageAt = (index: number) => deps.dialog.slots()[index]?.message();
  const saidAt = (index: number) => {
    const message = messageAt(index);
    return message === undefined ? "" : saidText(message);
  };

  return {
    /** The message that is being edited. */
    editing,
    busy,
    /** The message whose side discussion is being started. */
    discussing,
    discuss: setDiscussing,
    edit: setEditing,
    failed: deps.failed,
    isEnded: (index: number) => messageAt(index)?.end !== null || messageAt(index)?.role === "user",
    hasText: (index: number) => saidAt(index) !== "",
    /** The text in its editor: what was typed there before, or the message itself. */
    draft(index: number): string {
      gather(deps.drafts, editKey(id(), index));
      return deps.drafts.get(editKey(id(), index))?.text ?? saidAt(index);
    },
    keep(index: number, text: string) {
      if (text === saidAt(index)) deps.drafts.drop(editKey(id(), index));
      else deps.drafts.keep(editKey(id(), index), { text, etag: null });
    },
    async fork(index: number) {
      if (busy()) return;
      setBusy(true);
      const answer = await forkDialog(id(), index + 1);
      setBusy(false);
      if (!answer.ok) return deps.failed(t.notForked(answer.message));
      if (deps.isShown()) deps.notices.announce(t.isFork);
      return deps.go(answer.value.dialogId);
    },
    /** Resolves to what went wrong, or to null if the new dialog exists. */
    async resend(index: number, text: string): Promise<string | null> {
      const from = id();
      if (busy()) return null;
      // Set at once, so that holding down the key sends the message only once.
      setBusy(true);
      const answer = (await deps.ready(deps.head().provider))
        ? await opened(await forkWith(from, { message: index + 1, prompt: text }))
        : null;
      setBusy(false);
      if (answer === null) return null;
      if (!answer.ok) return answer.message;
      deps.drafts.drop(editKey(from, index));
      if (editing() === index) setEditing(null);
      deps.go(answer.dialogId);
      return null;
    },
    async copy(index: number) {
      deps.failed(await copyText(saidAt(index), deps.notices));
    },
    /** Shows the lines of this message in the dialog's file. */
    async raw(index: number) {
      const dialogId = id();
      const answer = await readDialog(dialogId);
      if (!answer.ok) return deps.failed(answer.message);
      if (!deps.isShown()) return;
      location.hash = formatRoute({ tab: "dialogs", dialogId, text: messageLines(answer.value.markdown, index) ?? "whole" });
    },
  };
}
export type MessageActions = ReturnType<typeof createMessageActions>;
