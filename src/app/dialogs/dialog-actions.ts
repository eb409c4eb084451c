import { type Accessor, createSignal } from "solid-js";
import type { PutDialogBody } from "../../protocol/index.ts";
import { continueDialog, resolveFork, sendSummary, setStatus } from "../model/api/calls.ts";
import { opened } from "../model/api/opened.ts";
import { send } from "../model/api/send.ts";
import type { Notices } from "../ui/notices.ts";
import * as t from "../texts/dialogs.ts";
import { copyMarkdown } from "./copy.ts";
import type { OpenDialog } from "./open-dialog.ts";
import type { Head } from "./running.ts";
import { onChange } from "../ui/on-change.ts";

export interface DialogActionsDeps {
  readonly dialog: OpenDialog;
  readonly head: Accessor<Head>;
  /** An agent works here, or waits for its turn. */
  readonly active: Accessor<boolean>;
  readonly notices: Notices;
  /** Unlocks a provider's key if needed. False: the user leaves it locked. */
  readonly ready: (provider: string) => Promise<boolean>;
  /** Shows another dialog. */
  readonly go: (dialogId: string) => void;
  readonly failed: (problem: string | null) => void;
  /** Whether the dialog still shows. */
  readonly isShown: () => boolean;
  /** Called when the agent has stopped because the user pressed the stop button, which is gone by then. */
  readonly stopped: () => void;
}

/** What can be done with a whole dialog. */
export function createDialogActions(deps: DialogActionsDeps) {
  const [continuing, setContinuing] = createSignal(false);
  let stopping = false;
  onChange(deps.active, (now) => {
    if (now || !stopping) return;
    stopping = false;
    deps.stopped();
  });

  async function change(status: "waiting" | "done") {
    const answer = await setStatus(deps.head().dialogId, status);
    if (!answer.ok) stopping = false;
    deps.failed(answer.ok ? null : answer.message);
  }
  let resuming = false;

  return {
    /** Whether a continuation in a new dialog is being started. */
    continuing,
    stop: () => {
      stopping = true;
      void change("waiting");
    },
    /** Stops retrying a failed provider, because the user doesn't want to wait longer. */
    async stopTrying() {
      stopping = true;
      await change("waiting");
      if (stopping) deps.notices.announce(t.stoppedTrying);
    },
    done: () => void change("done"),
    async resolve() {
      const { dialogId, provider } = deps.head();
      if (!(await deps.ready(provider)) || !deps.isShown()) return;
      const answer = await resolveFork(dialogId);
      deps.failed(answer.ok ? null : answer.message);
    },
    async sendSummary(to: string) {
      const answer = await sendSummary(deps.head().dialogId);
      if (answer.ok) deps.go(to);
      else deps.failed(answer.message);
    },
    async continueFresh() {
      setContinuing(true);
      const dialog = await opened(await continueDialog(deps.head().dialogId));
      setContinuing(false);
      if (dialog.ok) deps.go(dialog.dialogId);
      else deps.failed(t.freshNotBegun(dialog.message));
    },
    async resume(limits?: PutDialogBody["limits"]) {
      const { dialogId, provider } = deps.head();
      // Ignore a second click, and stop if another dialog is open by the time the key is unlocked.
      if (resuming) return;
      resuming = true;
      const ready = await deps.ready(provider);
      resuming = false;
      if (!ready || !deps.isShown() || deps.head().dialogId !== dialogId) return;
      // Send the same request again, without adding a message that the user did not write.
      if (deps.head().failure !== null && limits === undefined) return deps.failed(await send({ dialogId, again: true }));
      deps.failed(await deps.dialog.say({ dialogId, prompt: t.pleaseContinue, ...(limits === undefined ? {} : { limits }) }));
    },
    /** Resolves to whether the engine accepted it. */
    async put(body: Omit<PutDialogBody, "dialogId">): Promise<boolean> {
      const refused = await send({ ...body, dialogId: deps.head().dialogId });
      deps.failed(refused);
      return refused === null;
    },
    async copy() {
      const failed = await copyMarkdown(deps.head().dialogId, deps.notices);
      if (failed !== null) deps.failed(failed);
    },
  };
}
